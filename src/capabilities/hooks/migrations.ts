import type { Migration } from '../../kernel/db/migrations.ts'

export const hooksMigrations: readonly Migration[] = [
  {
    id: '20261121T1730-hooks',
    up: async ({ schema }) => {
      await schema
        .createTable('session_extract_cursors')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('last_offset', 'integer', (column) => column.notNull())
        .addColumn('updated_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_extract_cursors_key', ['agent_id', 'session_key'])
        .execute()
      await schema
        .createTable('session_compactions')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('summary_hash', 'text', (column) => column.notNull())
        .addColumn('memory_id', 'text')
        .addColumn('context_epoch', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_compactions_key', [
          'agent_id',
          'session_key',
          'summary_hash',
        ])
        .execute()
    },
  },
  {
    id: '20261123T0025-session-pending-compactions',
    up: ({ schema }) =>
      schema
        .createTable('session_pending_compactions')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('prepared_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_pending_compactions_key', ['agent_id', 'session_key'])
        .execute(),
  },
  {
    id: '20261123T1640-hook-notices',
    up: ({ schema }) =>
      schema
        .createTable('hook_notices')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('notice_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('hook_notices_key', ['agent_id', 'notice_id', 'session_key'])
        .execute(),
  },
]
