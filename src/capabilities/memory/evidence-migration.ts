import type { Migration } from '../../kernel/db/migrations.ts'

/** The conditions of `store/evidence.ts` that are the same for each agent. */
const condition = `memory_kind = 'episodic' and scope is null and deleted_at is null`

const columns = `agent_id, revision, created_at, length(content), who, source_type, visibility`

const statements = [`create index memories_evidence on memories (${columns}) where ${condition}`]

/**
 * The evidence that Dreaming has not read may be most memories. The overlay of the graph and the
 * state of Dreaming sum it, so SQLite reads all columns from the index. The derived memories of a
 * large graph, which are no evidence, are not in it.
 */
export const evidenceMigration: Migration = {
  id: '20261128T1510-memory-evidence',
  sqlite: statements,
  postgres: statements,
}
