import type { Migration } from '../../kernel/db/migrations.ts'

export const skillsMigrations: readonly Migration[] = [
  {
    id: '20261122T0520-skill-invocations',
    up: async ({ schema }) => {
      await schema
        .createTable('skill_invocations')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('harness', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('skill_name', 'text', (column) => column.notNull())
        .addColumn('tool_use_id', 'text')
        .addColumn('latency_ms', 'integer')
        .addColumn('success', 'integer', (column) => column.notNull())
        .addColumn('error_text', 'text')
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('skill_invocations_once')
        .unique()
        .on('skill_invocations')
        .columns(['agent_id', 'harness', 'session_key', 'tool_use_id'])
        .where('tool_use_id', 'is not', null)
        .execute()
      await schema
        .createIndex('skill_invocations_by_age')
        .on('skill_invocations')
        .column('created_at')
        .execute()
    },
  },
  {
    id: '20261123T1400-skill-invocation-places',
    up: async ({ schema }) => {
      for (const name of ['cwd', 'origin'])
        await schema.alterTable('skill_invocations').addColumn(name, 'text').execute()
      await schema
        .createIndex('skill_invocations_by_agent')
        .on('skill_invocations')
        .columns(['agent_id', 'created_at'])
        .execute()
    },
  },
]
