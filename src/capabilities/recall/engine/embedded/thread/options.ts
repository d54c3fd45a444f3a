import type { ModelParts } from '../../../../embeddings/index.ts'

/** What the thread is started with: what it reads and where it keeps what it has made of it. */
export interface SearchThreadOptions {
  readonly file: string
  readonly snapshotFile: string
  /** How many rows at least are read before a snapshot is written. */
  readonly snapshotAfter?: number
  readonly memoryFeed: {
    readonly sql: string
    readonly sweptSql: string
    readonly newestSql: string
  }
  readonly vectorFeed: {
    readonly sql: string
    readonly newestSql: string
    readonly identitiesSql: string
  }
  /** Shared with whoever has read it. */
  readonly model: ModelParts
}
