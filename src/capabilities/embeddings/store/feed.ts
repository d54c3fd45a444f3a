import { vectorsLock } from '../migrations.ts'

const columns = 'revision, memory_id, identity, passage, dims, content_hash, vector'

/** For who keeps a copy of the vectors in another thread: SQLite's own SQL, to be read in pages. */
export const vectorFeed = {
  /**
   * What was written since a revision, in the order of revisions, of which no two are alike; what is
   * gone is not told: it goes with its memory or its identity. `vector` is as many little-endian f32
   * as `dims` says, of unit length; `passage` is 0 for the whole text; `content_hash` is of the words
   * that the vector was made of, which the memory may no longer have. Parameters: the last revision
   * that was read, and how many rows at most.
   */
  sql: `select ${columns} from memory_vectors where revision > ? order by revision limit ?`,
  /** Of one memory, in the order of revisions. Parameters: its id, and the last revision that is told. */
  ofMemorySql: `select ${columns} from memory_vectors
    where identity in (select identity from embedding_models)
      and memory_id = ? and revision <= ? order by revision`,
  /** One row, `revision`: who has read as much has nothing to read. */
  newestSql: 'select coalesce(max(revision), 0) as revision from memory_vectors',
  /** Rows of `identity`: those of which there are vectors. */
  identitiesSql: `select identity from embedding_models where exists
    (select 1 from memory_vectors where memory_vectors.identity = embedding_models.identity)`,
} as const

/** The same, as a PostgreSQL server has it. */
export const vectorFeedOfServer = {
  /**
   * Parameters and columns as above. A third parameter is the last revision that is told.
   */
  sql: `select ${columns}
    from memory_vectors where revision > $1 and revision <= $3 order by revision limit $2`,
  /**
   * One row, `revision`. Revisions are given before they are committed: this waits for those who write
   * now, and what is asked after it misses none up to here. By itself, for others wait meanwhile.
   */
  settledSql: `with settled as materialized (select pg_advisory_xact_lock(${vectorsLock}))
    select (select coalesce(max(revision), 0) from memory_vectors) as revision from settled`,
  /** One row, `revision`: null where there are none. */
  newestSql: 'select max(revision) as revision from memory_vectors',
  /** Rows of `identity`: all that may still be asked for. */
  identitiesSql: `select identity from embedding_models where state <> 'retired'`,
} as const
