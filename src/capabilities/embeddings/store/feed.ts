import { vectorsLock } from '../migrations.ts'

const columns = 'revision, memory_id, identity, passage, dims, content_hash, vector'

/** SQLite queries for the search index, which reads the vectors in pages. */
export const vectorFeed = {
  /**
   * Vectors after a revision, in revision order; revisions are unique. Deletions are not listed: a
   * vector ends with its memory or its identity. `vector` is `dims` little-endian f32 of unit length.
   * `passage` 0 is the whole text. `content_hash` is the hash of the embedded text, which may differ
   * from the current text. Parameters: last read revision, row limit.
   */
  sql: `select ${columns} from memory_vectors where revision > ? order by revision limit ?`,
  /** Vectors of one memory, in revision order. Parameters: memory id, last revision. */
  ofMemorySql: `select ${columns} from memory_vectors
    where identity in (select identity from embedding_models)
      and memory_id = ? and revision <= ? order by revision`,
  /** One row, `revision`: the newest revision. */
  newestSql: 'select coalesce(max(revision), 0) as revision from memory_vectors',
  /** Rows of `identity` that have vectors. */
  identitiesSql: `select identity from embedding_models where exists
    (select 1 from memory_vectors where memory_vectors.identity = embedding_models.identity)`,
} as const

/** The same for PostgreSQL. */
export const postgresVectorFeed = {
  /**
   * Columns and parameters as above, and a third parameter: the last revision.
   */
  sql: `select ${columns}
    from memory_vectors where revision > $1 and revision <= $3 order by revision limit $2`,
  /**
   * One row, `revision`. Revisions are assigned before commit. This query waits for current writers, so
   * that later reads see every revision up to the result. Run it alone: it blocks writers.
   */
  settledSql: `with settled as materialized (select pg_advisory_xact_lock(${vectorsLock}))
    select (select coalesce(max(revision), 0) from memory_vectors) as revision from settled`,
  /** Vectors in revision order. Parameters: memory ids, last revision. */
  ofMemoriesSql: `select ${columns} from memory_vectors
    where identity in (select identity from embedding_models)
      and memory_id = any($1) and revision <= $2 order by revision`,
  /** One row, `revision`; null without vectors. */
  newestSql: 'select max(revision) as revision from memory_vectors',
  /** Rows of `identity`: all that searches may use. */
  identitiesSql: `select identity from embedding_models where state <> 'retired'`,
  /** Rows of `identity` that have vectors. */
  storedIdentitiesSql: vectorFeed.identitiesSql,
} as const
