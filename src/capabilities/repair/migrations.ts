import { sql } from 'kysely'
import type { Migration } from '../../kernel/db/migrations.ts'

export const repairMigrations: readonly Migration[] = [
  {
    id: '20261123T1640-repair-runs',
    up: async ({ schema }) => {
      await schema
        .createTable('repair_runs')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('actor_type', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('request_id', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('input', 'text', (column) => column.notNull())
        .addColumn('affected', 'integer', (column) => column.notNull())
        .addColumn('cursor', 'text')
        .addColumn('message', 'text', (column) => column.notNull())
        .addColumn('details', 'text', (column) => column.notNull())
        .addColumn('owner', 'text')
        .addColumn('lease_until', 'text')
        .addColumn('started_at', 'text', (column) => column.notNull())
        .addColumn('updated_at', 'text', (column) => column.notNull())
        .addColumn('ended_at', 'text')
        .execute()
      const index = (name: string) => schema.createIndex(name).on('repair_runs')
      await index('repair_runs_one_running')
        .unique()
        .column('action')
        .where(sql<boolean>`state = 'running'`)
        .execute()
      await index('repair_runs_ended').columns(['action', 'state', 'ended_at']).execute()
      await index('repair_runs_newest').columns(['started_at', 'id']).execute()
    },
  },
]
