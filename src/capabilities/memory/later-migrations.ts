import type { Migration } from '../../kernel/db/migrations.ts'
import { countMigration } from './count-migrations.ts'
import { evidenceBlocksMigration } from './evidence-blocks-migration.ts'
import { systemEventsMigration } from './history-migrations.ts'
import { nameMigration } from './name-migrations.ts'
import { sourcesMigration } from './source-migrations.ts'
import { indexedLength } from './store/filter.ts'
import { updateWordFunction } from './store/postgres-words.ts'
import { textIndexMigration } from './text-index-migration.ts'

const condition = `deleted_at is null and superseded_by is null and pinned = 0
  and coalesce(type, '') <> 'document_chunk'`

const statements = [
  'drop index memories_standing',
  'drop index memories_standing_open',
  'drop index memories_standing_of_project',
  `create index memories_standing on memories (agent_id, standing, id) where ${condition}`,
  `create index memories_standing_open on memories (standing, id)
     where ${condition} and visibility = 'global'`,
  `create index memories_standing_of_project on memories (project, standing, id)
     where ${condition} and project is not null`,
]

/** Session starts never show chunks of documents, of which a store may have a million. */
const standingMigration: Migration = {
  id: '20261123T2125-standing-without-chunks',
  sqlite: statements,
  postgres: statements,
}

const isCurrent = 'deleted_at is null and superseded_by is null'

const indexFilters = [
  ...['who', 'source_type'].map(
    (column) => `create index memories_by_${column} on memories
      (substr(coalesce(${column}, ''), 1, ${indexedLength}), created_at, id) where ${isCurrent}`,
  ),
  'create index memories_forgotten on memories (created_at, id) where deleted_at is not null',
  `create index memories_outdated on memories (created_at, id)
     where deleted_at is null and superseded_by is not null`,
]

/** The conditions of `store/evidence.ts` that are the same for each agent. */
const isEvidence = `memory_kind = 'episodic' and scope is null and deleted_at is null`
const evidenceColumns =
  'agent_id, revision, created_at, length(content), who, source_type, visibility'

/**
 * The evidence that Dreaming has not read may be most memories. The overlay of the graph and the
 * state of Dreaming sum it, so SQLite reads all columns from the index. The derived memories of a
 * large graph, which are no evidence, are not in it.
 */
const indexEvidence = [
  `create index memories_evidence on memories (${evidenceColumns}) where ${isEvidence}`,
]

export const laterMigrations: readonly Migration[] = [
  sourcesMigration,
  countMigration,
  standingMigration,
  { id: '20261123T2130-memory-filters', sqlite: indexFilters, postgres: indexFilters },
  systemEventsMigration,
  nameMigration,
  { id: '20261128T1510-memory-evidence', sqlite: indexEvidence, postgres: indexEvidence },
  evidenceBlocksMigration,
  textIndexMigration,
  { id: '20261129T1235-memory-words-of-ascii', up: updateWordFunction },
]
