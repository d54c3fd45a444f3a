import type { Migration } from '../../kernel/db/migrations.ts'

export const accessMigrations: readonly Migration[] = [
  {
    id: '20261123T1650-api-keys',
    up: async ({ schema }) => {
      await schema
        .createTable('api_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('prefix', 'text', (column) => column.notNull().unique())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('permissions', 'text')
        .addColumn('connector', 'text')
        .addColumn('harness', 'text')
        .addColumn('agent_id', 'text')
        .addColumn('allowed_projects', 'text')
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('last_used_at', 'text')
        .addColumn('revoked_at', 'text')
        .addColumn('expires_at', 'text')
        .execute()
      const indexes = {
        api_keys_by_end: ['revoked_at', 'expires_at'],
        api_keys_by_age: ['created_at', 'id'],
        api_keys_by_agent: ['agent_id'],
      }
      for (const [name, columns] of Object.entries(indexes))
        await schema.createIndex(name).on('api_keys').columns(columns).execute()
    },
  },
  {
    id: '20261123T1700-browser-sessions',
    up: async ({ schema }) => {
      await schema
        .createTable('browser_sessions')
        .addColumn('id_hash', 'text', (column) => column.primaryKey())
        .addColumn('csrf_hash', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('claims', 'text', (column) => column.notNull())
        .addColumn('api_key_id', 'text')
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('last_seen_at', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'text', (column) => column.notNull())
        .execute()
      const indexes = {
        browser_sessions_by_end: ['expires_at'],
        browser_sessions_by_use: ['last_seen_at'],
        browser_sessions_by_subject: ['subject', 'created_at'],
        browser_sessions_by_key: ['api_key_id'],
      }
      for (const [name, columns] of Object.entries(indexes))
        await schema.createIndex(name).on('browser_sessions').columns(columns).execute()
    },
  },
]
