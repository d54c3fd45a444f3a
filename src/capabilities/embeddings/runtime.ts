import type { Makers } from './makers.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import type { UnderWay } from './under-way.ts'

/** What the verbs share while the service runs. */
export interface Runtime {
  readonly needs: EmbeddingsNeeds
  readonly makers: Makers
  readonly underWay: UnderWay
}
