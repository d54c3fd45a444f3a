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

/** Who has answered in this round needs no probe. */
interface Health {
  answers: boolean
}

/**
 * One outcome for each text. When one fails and the provider answers another, or a probe, the text is
 * at fault, whatever the error said. @throws {EmbeddingFailure} when the provider does not answer either
 */
export function embedEach(embedder: Embedder, batch: Batch): Promise<Outcome[]> {
  return embedSome(embedder, batch, { answers: false })
}

async function embedSome(embedder: Embedder, batch: Batch, health: Health): Promise<Outcome[]> {
  try {
    const outcomes = await embedAll(embedder, batch)
    health.answers = true
    return outcomes
  } catch (error) {
    if (!(error instanceof EmbeddingFailure)) throw error
    const { words, signal } = batch
    const [first, ...others] = words
    if (!first) return []
    const isOne = others.length === 0
    // A batch that is refused is taken apart first: another of its texts may be answered.
    if (error.kind === 'provider' || (isOne && !health.answers)) {
      await probe(embedder, signal)
      health.answers = true
    }
    if (isOne) return [{ words: first, refused: error.message }]
    return await embedApart(embedder, batch, health)
  }
}

/** @throws {EmbeddingFailure} when it does not answer */
export async function probe(embedder: Embedder, signal?: AbortSignal): Promise<void> {
  await embedder.embed({ texts: ['probe'], kind: 'document', isProbe: true, signal })
}

async function embedApart(
  embedder: Embedder,
  { words, signal }: Batch,
  health: Health,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const one of words)
    outcomes.push(...(await embedSome(embedder, { words: [one], signal }, health)))
  return outcomes
}

async function embedAll(embedder: Embedder, { words, signal }: Batch): Promise<Outcome[]> {
  const texts = words.map(({ content }) => content)
  const made = await embedder.embed({ texts, kind: 'document', signal })
  return words.map((words, at) => ({ words, made: made[at] }))
}
