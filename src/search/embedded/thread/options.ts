import type { ModelParts } from '../../../capabilities/embeddings/static-model/index.ts'
import type { MemoryFeed, VectorFeedOfFile } from '../../feeds.ts'

/** What the thread is started with: what it reads and where it keeps what it has made of it. */
export interface SearchThreadOptions {
  readonly file: string
  readonly snapshotFile: string
  /** How many rows at least are read before a snapshot is written. */
  readonly snapshotAfter?: number
  readonly memoryFeed: MemoryFeed
  readonly vectorFeed: VectorFeedOfFile
  /** Shared with whoever has read it. */
  readonly model: ModelParts
}
