import { createStaticModel, type ModelParts } from '../../../static-model/index.ts'
import type { Embedded } from '../embedder.ts'
import { embedText } from '../vector.ts'

interface LongText {
  /** In shared memory. */
  readonly parts: ModelParts
  readonly text: string
}

/** Task of the worker thread. */
export function embed({ parts, text }: LongText): Embedded | undefined {
  return embedText(createStaticModel(parts), text)
}
