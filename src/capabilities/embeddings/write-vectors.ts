import { transaction } from '../../kernel/db/transaction.ts'
import { type Embedded, type Embedder, EmbeddingFailure, probe } from './embedder.ts'
import type { BoundEmbedder } from './embedder-registry.ts'
import type { EmbeddableText, EmbeddingsNeeds } from './needs.ts'
import { type Failure, readFailures, upsertFailure } from './store/models.ts'
import { deleteVectors, insertVectors } from './store/vectors.ts'

interface WriteContext {
  readonly needs: EmbeddingsNeeds
  readonly signal?: AbortSignal | undefined
}

const maxAttempts = 3
const firstRetryMs = 600_000

/** Embeds the current text of the live memories among `ids` and saves the outcomes. */
export async function writeVectors(
  { needs, signal }: WriteContext,
  { embedder, identity }: BoundEmbedder,
  ids: readonly string[],
): Promise<void> {
  const texts = await needs.memories().listTexts(needs.background, ids)
  if (texts.length > 0)
    await saveOutcomes(needs, identity, await embedEach(embedder, { texts, signal }))
}

/** Skips memories that were changed or purged meanwhile; returns the number of the others. */
export async function saveOutcomes(
  needs: EmbeddingsNeeds,
  identity: string,
  outcomes: readonly EmbedOutcome[],
): Promise<number> {
  const createdAt = needs.host.now().toISOString()
  return await transaction(needs.db, async (db) => {
    const hashes = await needs.memories().lockHashes(db, idsOf(outcomes))
    const present = outcomes.filter(({ text: words }) => hashes.get(words.id) === words.contentHash)
    const failed = present.filter(({ embedding }) => embedding === undefined)
    const previous = await readFailures(db, identity, idsOf(failed))
    await deleteVectors(db, idsOf(present), identity)
    await insertVectors(
      db,
      { identity, createdAt },
      present.flatMap(({ text: { id: memoryId, agentId, contentHash }, embedding }) =>
        embedding ? [{ memoryId, agentId, contentHash, ...embedding }] : [],
      ),
    )
    for (const outcome of failed)
      await upsertFailure(db, identity, toFailure(needs, outcome, previous.get(outcome.text.id)))
    return present.length
  })
}

/** Allows three attempts, 10 and 20 minutes apart; a changed text starts again. */
function toFailure(
  { host }: EmbeddingsNeeds,
  { text: words, rejection: refused }: EmbedOutcome,
  previous?: Failure,
) {
  const { id: memoryId, agentId, contentHash } = words
  const now = host.now()
  const attempts = (previous?.contentHash === contentHash ? previous.attempts : 0) + 1
  const retryAt = new Date(now.getTime() + firstRetryMs * attempts)
  const isRetried = refused !== undefined && attempts < maxAttempts
  return {
    memoryId,
    agentId,
    contentHash,
    attempts,
    reason: refused ?? 'the text has a zero vector',
    retryAt: isRetried ? retryAt.toISOString() : null,
    failedAt: now.toISOString(),
  }
}

function idsOf(outcomes: readonly EmbedOutcome[]): string[] {
  return outcomes.map(({ text: words }) => words.id)
}

interface EmbedOutcome {
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
