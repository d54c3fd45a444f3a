import type { ModelParts } from '../../../capabilities/embeddings/static-model/index.ts'
import type { Feeds } from '../store/feeds.ts'

/** What the thread is started with. */
export interface ServerSearchOptions {
  readonly server: { readonly url: string; readonly connections: number }
  readonly feeds: Feeds
  /** Shared with whoever has read it. */
  readonly model: ModelParts
}
