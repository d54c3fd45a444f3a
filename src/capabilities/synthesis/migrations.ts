import type { ColumnDefinitionBuilder } from 'kysely'
import type { Migration } from '../../kernel/db/migrations.ts'

export const synthesisMigrations: readonly Migration[] = [
  {
    id: '20261121T1735-memory-md-heads',
    up: ({ schema }) =>
      schema
        .createTable('memory_md_heads')
        .addColumn('agent_id', 'text', (column) => column.primaryKey())
        .addColumn('written_at', 'text')
        .addColumn('lease_token', 'text')
        .addColumn('lease_expires_at', 'text')
        .execute(),
  },
  {
    id: '20261121T1920-memory-md-revisions',
    up: async ({ schema }) => {
      const heads = schema.alterTable('memory_md_heads')
      await heads.addColumn('looked_at', 'text').execute()
      await heads.addColumn('content_hash', 'text').execute()
      const revision = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
      await heads.addColumn('revision', 'integer', revision).execute()
    },
  },
]
