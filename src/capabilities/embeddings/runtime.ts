import type { EmbedderRegistry } from './embedder-registry.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import type { PendingWork } from './pending-work.ts'

/** Shared state of the operations. */
export interface Runtime {
  readonly needs: EmbeddingsNeeds
  readonly registry: EmbedderRegistry
  readonly pendingWork: PendingWork
}
