import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Migration } from '../db/migrations.ts'

export const jobsMigrations: readonly Migration[] = [
  { id: '20260102T0300-jobs', up: createJobs },
  {
    id: '20261123T0130-upgrade-tasks',
    // The upgrade tasks rewrite rows after the start.
    changesData: true,
    up: ({ schema }) =>
      schema
        .createTable('upgrade_tasks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('position', 'text', (column) => column.notNull())
        .execute(),
  },
]

const live = sql<boolean>`state in ('pending', 'failed', 'leased')`
const waiting = sql<boolean>`state in ('pending', 'failed')`

async function createJobs({ schema }: Db): Promise<void> {
  await schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('max_attempts', 'integer', (column) => column.notNull())
    .addColumn('run_after', 'text', (column) => column.notNull())
    .addColumn('lease_until', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('reason', 'text')
    .addColumn('dedupe_key', 'text')
    .addColumn('agent_id', 'text')
    .addColumn('subject', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  const index = (name: string) => schema.createIndex(name).on('jobs')
  await index('jobs_live_twin').unique().columns(['kind', 'dedupe_key']).where(live).execute()
  await index('jobs_due').columns(['priority desc', 'run_after', 'id']).where(waiting).execute()
  await index('jobs_live_subject').columns(['subject', 'agent_id']).where(live).execute()
  await index('jobs_by_kind').columns(['kind', 'state']).execute()
  await index('jobs_by_state').columns(['state', 'updated_at']).execute()
}
