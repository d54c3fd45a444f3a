import { transaction } from '../../kernel/db/transaction.ts'
import { type EmbedOutcome, embedEach } from './embed-each.ts'
import type { BoundEmbedder } from './embedder-registry.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { type Failure, readFailures, upsertFailure } from './store/failures.ts'
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
    ...{ memoryId, agentId, contentHash, attempts },
    reason: refused ?? 'the text has a zero vector',
    retryAt: isRetried ? retryAt.toISOString() : null,
    failedAt: now.toISOString(),
  }
}

function idsOf(outcomes: readonly EmbedOutcome[]): string[] {
  return outcomes.map(({ text: words }) => words.id)
}
