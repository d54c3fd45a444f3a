import { type Embedded, type Embedder, EmbeddingFailure } from './embedder.ts'
import type { Words } from './needs.ts'

export interface Outcome {
  readonly words: Words
  /** Undefined where the words have no direction, or will not do. */
  readonly made?: Embedded | undefined
  /** Why they will not do. */
  readonly refused?: string
}

interface Batch {
  readonly words: readonly Words[]
  readonly signal?: AbortSignal | undefined
}

/**
 * One outcome for each text. When one fails and the provider answers a probe, the text is at fault,
 * whatever the error said. @throws {EmbeddingFailure} when the provider does not answer the probe
 */
export async function embedEach(embedder: Embedder, { words, signal }: Batch): Promise<Outcome[]> {
  try {
    return await embedAll(embedder, { words, signal })
  } catch (error) {
    if (!(error instanceof EmbeddingFailure)) throw error
    const [first, ...others] = words
    if (!first) return []
    if (error.kind === 'provider') await probe(embedder, signal)
    if (others.length === 0) return [{ words: first, refused: error.message }]
    const outcomes: Outcome[] = []
    for (const one of words) outcomes.push(...(await embedEach(embedder, { words: [one], signal })))
    return outcomes
  }
}

/** @throws {EmbeddingFailure} when it does not answer */
export async function probe(embedder: Embedder, signal?: AbortSignal): Promise<void> {
  await embedder.embed({ texts: ['probe'], kind: 'document', signal })
}

async function embedAll(embedder: Embedder, { words, signal }: Batch): Promise<Outcome[]> {
  const texts = words.map(({ content }) => content)
  const made = await embedder.embed({ texts, kind: 'document', signal })
  return words.map((words, at) => ({ words, made: made[at] }))
}
