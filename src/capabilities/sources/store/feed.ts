/**
 * The columns that the search index reads of a memory. A chunk is private to its agent, and its words
 * stand after their headings.
 */
const facts = (newline: string) => `agent_id, 'private' as visibility, null as scope,
  null as project, null as session_id, 'source_chunk' as type, 'external' as who, null as tags,
  0 as pinned, 0.5 as importance, heading || ${newline} || text as content, source_type,
  created_at, null as deleted_at, null as superseded_by, null as superseded_at, null as validity,
  words_hash as content_hash, null as hints`
const nothing = `null as agent_id, null as visibility, null as scope, null as project,
  null as session_id, null as type, null as who, null as tags, 0 as pinned, 0 as importance,
  null as content, null as source_type, null as created_at, null as deleted_at,
  null as superseded_by, null as superseded_at, null as validity, null as content_hash,
  null as hints`

/** Like the feed of memories, for the chunks of sources in SQLite. */
export const chunkFeed = {
  sql: `with seen (revision) as (values (?))
    select id, revision, 0 as purged, ${facts('char(10)')}
      from source_chunks where revision > (select revision from seen)
    union all
    select id, revision, 1 as purged, ${nothing}
      from source_chunks_purged where revision > (select revision from seen)
    order by revision limit ?`,
  sweptSql: 'select swept_to as revision from source_revision',
  newestSql: `select max(swept_to, coalesce((select max(revision) from source_chunks), 0),
    coalesce((select max(revision) from source_chunks_purged), 0)) as revision
    from source_revision`,
} as const

/** The same for PostgreSQL. */
export const postgresChunkFeed = {
  sql: `(select id, revision, 0 as purged, ${facts('chr(10)')}
      from source_chunks where revision > $1 order by revision limit $2)
    union all
    (select id, revision, 1 as purged, ${nothing}
      from source_chunks_purged where revision > $1 order by revision limit $2)
    order by revision limit $2`,
  sweptSql: chunkFeed.sweptSql,
  newestSql: `select greatest(swept_to, coalesce((select max(revision) from source_chunks), 0),
    coalesce((select max(revision) from source_chunks_purged), 0)) as revision
    from source_revision`,
  countSql: `select count(*) as rows from (select 1 from source_chunks limit $1) as live`,
} as const

const columns = `revision, chunk_id as memory_id, identity, 0 as passage, dims,
  words_hash as content_hash, vector`
const newestVector = 'select coalesce(max(revision), 0) as revision from source_chunk_vectors'
const identitiesSql = 'select identity from source_vector_models'

export const chunkVectorFeed = {
  sql: `select ${columns} from source_chunk_vectors where revision > ? order by revision limit ?`,
  ofMemorySql: `select ${columns} from source_chunk_vectors
    where chunk_id = ? and revision <= ? order by revision`,
  newestSql: newestVector,
  identitiesSql,
} as const

export const postgresChunkVectorFeed = {
  sql: `select ${columns}
    from source_chunk_vectors where revision > $1 and revision <= $3 order by revision limit $2`,
  /** Writers hold the row of the counter until their commit, so no revision is missing below the newest. */
  settledSql: newestVector,
  ofMemoriesSql: `select ${columns} from source_chunk_vectors
    where chunk_id = any($1) and revision <= $2 order by revision`,
  newestSql: newestVector,
  identitiesSql,
  storedIdentitiesSql: identitiesSql,
} as const
