import type { ModelParts } from '../../../../embeddings/index.ts'
import type { EngineAnswer, EngineHealth, EngineQuery, SimilarQuery } from '../../engine.ts'

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

export type Request =
  | { readonly kind: 'search'; readonly id: number; readonly query: EngineQuery }
  | { readonly kind: 'similar'; readonly id: number; readonly query: SimilarQuery }
  | { readonly kind: 'changed' }
  | { readonly kind: 'close' }

export type Reply =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: EngineAnswer | undefined }
  /** Nobody but who asked is told: the thread goes on. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  | { readonly kind: 'health'; readonly health: EngineHealth }
  /** For the log: something that is done without. */
  | { readonly kind: 'trouble'; readonly message: string }
