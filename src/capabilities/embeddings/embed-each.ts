import { type Embedded, type Embedder, EmbeddingFailure } from './embedder.ts'
import type { EmbeddableText } from './needs.ts'

export interface EmbedOutcome {
  readonly text: EmbeddableText
  /** Undefined for a zero vector or a rejected text. */
  readonly embedding?: Embedded | undefined
  /** Reason of the rejection. */
  readonly rejection?: string
}

interface Batch {
  readonly texts: readonly EmbeddableText[]
  readonly signal?: AbortSignal | undefined
}

/** A provider that has answered in this batch needs no probe. */
interface ProviderState {
  hasAnswered: boolean
}

/**
 * Returns one outcome for each text. A failed text is rejected if the provider answers another text or a
 * probe, whatever the error kind. @throws {EmbeddingFailure} when the provider answers neither
 */
export function embedEach(embedder: Embedder, batch: Batch): Promise<EmbedOutcome[]> {
  return embedOrSplit(embedder, batch, { hasAnswered: false })
}

async function embedOrSplit(
  embedder: Embedder,
  batch: Batch,
  state: ProviderState,
): Promise<EmbedOutcome[]> {
  try {
    const outcomes = await embedBatch(embedder, batch)
    state.hasAnswered = true
    return outcomes
  } catch (error) {
    if (!(error instanceof EmbeddingFailure)) throw error
    const { texts, signal } = batch
    const [first, ...rest] = texts
    if (!first) return []
    const isSingle = rest.length === 0
    // A rejected batch is split first: the provider may accept another text of it.
    if (error.kind === 'provider' || (isSingle && !state.hasAnswered)) {
      await probe(embedder, signal)
      state.hasAnswered = true
    }
    if (isSingle) return [{ text: first, rejection: error.message }]
    return await embedOneByOne(embedder, batch, state)
  }
}

/** @throws {EmbeddingFailure} when it does not answer */
export async function probe(embedder: Embedder, signal?: AbortSignal): Promise<void> {
  await embedder.embed({ texts: ['probe'], kind: 'document', isProbe: true, signal })
}

async function embedOneByOne(
  embedder: Embedder,
  { texts, signal }: Batch,
  state: ProviderState,
): Promise<EmbedOutcome[]> {
  const outcomes: EmbedOutcome[] = []
  for (const text of texts)
    outcomes.push(...(await embedOrSplit(embedder, { texts: [text], signal }, state)))
  return outcomes
}

async function embedBatch(embedder: Embedder, { texts, signal }: Batch): Promise<EmbedOutcome[]> {
  const contents = texts.map(({ content }) => content)
  const embeddings = await embedder.embed({ texts: contents, kind: 'document', signal })
  return texts.map((text, index) => ({ text, embedding: embeddings[index] }))
}
