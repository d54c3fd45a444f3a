import type { Migration } from '../../kernel/db/migrations.ts'

/**
 * Links of derived memories. A source has no foreign key: its purge deletes the derived memories,
 * and these delete their links.
 */
const createSources = [
  `create table memory_sources (
    memory_id text not null references memories (id) on delete cascade,
    source_id text not null,
    lost_at text,
    primary key (memory_id, source_id)
  )`,
  'create index memory_sources_of on memory_sources (source_id)',
]

export const sourcesMigration: Migration = {
  id: '20261123T1000-memory-sources',
  sqlite: createSources,
  postgres: createSources,
}
