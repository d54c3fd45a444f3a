import { sql } from 'kysely'
import type { Migration } from '../../kernel/db/migrations.ts'

export const telemetryMigrations: readonly Migration[] = [
  {
    id: '20261122T0430-memory-search-telemetry',
    up: async ({ schema }) => {
      await schema
        .createTable('memory_search_telemetry')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('route', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text')
        .addColumn('project', 'text')
        .addColumn('query', 'text', (column) => column.notNull())
        .addColumn('keyword_query', 'text')
        .addColumn('method', 'text', (column) => column.notNull())
        .addColumn('filters', 'text', (column) => column.notNull())
        .addColumn('stages', 'text', (column) => column.notNull())
        .addColumn('duration_ms', 'integer', (column) => column.notNull())
        .addColumn('result_count', 'integer', (column) => column.notNull())
        .addColumn('top_score', 'double precision')
        .execute()
      await schema
        .createIndex('memory_search_telemetry_by_age')
        .on('memory_search_telemetry')
        .columns(['created_at', 'id'])
        .execute()
      await schema
        .createIndex('memory_search_telemetry_of_session')
        .on('memory_search_telemetry')
        .columns(['agent_id', 'session_key', 'created_at'])
        .execute()
      await schema
        .createTable('memory_search_telemetry_results')
        .addColumn('search_id', 'text', (column) =>
          column.notNull().references('memory_search_telemetry.id').onDelete('cascade'),
        )
        .addColumn('rank', 'integer', (column) => column.notNull())
        .addColumn('item_id', 'text', (column) => column.notNull())
        .addColumn('memory_id', 'text')
        .addColumn('score', 'double precision', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('content', 'text')
        .addColumn('content_length', 'integer', (column) => column.notNull())
        .addColumn('truncated', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('memory_search_telemetry_results_key', ['search_id', 'rank'])
        .execute()
      await schema
        .createIndex('memory_search_telemetry_results_of_memory')
        .on('memory_search_telemetry_results')
        .column('memory_id')
        .where(sql.ref('content'), 'is not', null)
        .execute()
    },
  },
  {
    id: '20261122T0515-telemetry-events',
    up: async ({ schema }) => {
      await schema
        .createTable('telemetry_events')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('timestamp', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('properties', 'text', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('telemetry_events_by_age')
        .on('telemetry_events')
        .columns(['timestamp', 'id'])
        .execute()
      await schema
        .createIndex('telemetry_events_by_name')
        .on('telemetry_events')
        .columns(['event', 'timestamp', 'id'])
        .execute()
      await schema
        .createIndex('telemetry_events_of_agent')
        .on('telemetry_events')
        .columns(['agent_id', 'timestamp', 'id'])
        .execute()
    },
  },
]
