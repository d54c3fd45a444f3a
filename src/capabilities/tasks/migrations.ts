import { sql } from 'kysely'
import type { Migration } from '../../kernel/db/migrations.ts'

export const tasksMigrations: readonly Migration[] = [
  {
    id: '20261123T1425-scheduled-tasks',
    up: async ({ schema }) => {
      await schema
        .createTable('scheduled_tasks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('prompt', 'text', (column) => column.notNull())
        .addColumn('cron_expression', 'text', (column) => column.notNull())
        .addColumn('harness', 'text', (column) => column.notNull())
        .addColumn('model', 'text')
        .addColumn('working_directory', 'text')
        .addColumn('skill_name', 'text')
        .addColumn('skill_mode', 'text')
        .addColumn('enabled', 'integer', (column) => column.notNull())
        .addColumn('next_run_at', 'text')
        .addColumn('last_run_at', 'text')
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('updated_at', 'text', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('scheduled_tasks_due')
        .on('scheduled_tasks')
        .columns(['enabled', 'next_run_at'])
        .execute()
      await schema
        .createTable('task_runs')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('task_id', 'text', (column) =>
          column.notNull().references('scheduled_tasks.id').onDelete('cascade'),
        )
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('trigger', 'text', (column) => column.notNull())
        .addColumn('scheduled_for', 'text')
        .addColumn('started_at', 'text', (column) => column.notNull())
        .addColumn('completed_at', 'text')
        .addColumn('exit_code', 'integer')
        .addColumn('error', 'text')
        .addColumn('daemon_id', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'text')
        .execute()
      await schema
        .createIndex('task_runs_live')
        .unique()
        .on('task_runs')
        .column('task_id')
        .where(sql<boolean>`status in ('pending', 'running')`)
        .execute()
      await schema
        .createIndex('task_runs_once')
        .unique()
        .on('task_runs')
        .columns(['task_id', 'scheduled_for'])
        .execute()
      await schema
        .createIndex('task_runs_newest')
        .on('task_runs')
        .columns(['task_id', 'started_at', 'id'])
        .execute()
      await schema.createIndex('task_runs_by_status').on('task_runs').column('status').execute()
      await schema.createIndex('task_runs_by_age').on('task_runs').column('started_at').execute()
    },
  },
  {
    id: '20261123T1426-task-run-outputs',
    up: async ({ schema }) => {
      await schema
        .createTable('task_run_outputs')
        .addColumn('run_id', 'text', (column) =>
          column.notNull().references('task_runs.id').onDelete('cascade'),
        )
        .addColumn('stream', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('truncated', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('task_run_outputs_key', ['run_id', 'stream'])
        .execute()
    },
  },
]
