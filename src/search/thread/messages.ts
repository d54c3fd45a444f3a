import type { EngineAnswer, EngineHealth, EngineQuery, SimilarQuery } from '../engine.ts'

/** What a thread that searches is asked. */
export type Request =
  | { readonly kind: 'search'; readonly id: number; readonly query: EngineQuery }
  | { readonly kind: 'similar'; readonly id: number; readonly query: SimilarQuery }
  | { readonly kind: 'changed' }
  | { readonly kind: 'close' }

export type Reply =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: EngineAnswer | undefined }
  /** Nobody but who asked is told: the thread goes on. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  /** Once when it has read all there was, and once more for each time it was told of a change. */
  | { readonly kind: 'health'; readonly health: EngineHealth }
  /** For the log: something that is done without. */
  | { readonly kind: 'trouble'; readonly message: string }
