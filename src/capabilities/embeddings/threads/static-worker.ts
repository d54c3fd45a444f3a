import { createStaticModel, type ModelParts } from '../../../static-model/index.ts'
import type { Embedded } from '../embedder.ts'
import { embedText } from '../vector.ts'

interface Texts {
  /** In shared memory. */
  readonly parts: ModelParts
  readonly texts: readonly string[]
}

/** Task of the worker thread. */
export function embed({ parts, texts }: Texts): readonly (Embedded | undefined)[] {
  const model = createStaticModel(parts)
  return texts.map((text) => embedText(model, text))
}
