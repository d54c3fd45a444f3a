import { createStaticModel, type ModelParts } from '../../../static-model/index.ts'
import type { Embedded } from '../embedder.ts'
import { embedText } from '../providers/embed-text.ts'

interface LongText {
  /** In memory that the threads share. */
  readonly parts: ModelParts
  readonly text: string
}

/** What a thread is asked to do. */
export function embed({ parts, text }: LongText): Embedded | undefined {
  return embedText(createStaticModel(parts), text)
}
