/** The SQL of who owns memories; it says which columns and parameters. */
export interface MemoryFeed {
  readonly sql: string
  readonly sweptSql: string
  readonly newestSql: string
}

/** The SQL of who owns vectors; it says which columns and parameters. */
export interface VectorFeed {
  readonly sql: string
  readonly newestSql: string
  readonly identitiesSql: string
}

/** The same of a file, where the vectors of words that are back are asked for. */
export interface VectorFeedOfFile extends VectorFeed {
  readonly ofMemorySql: string
}
