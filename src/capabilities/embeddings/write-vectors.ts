import { transaction } from '../../kernel/db/transaction.ts'
import { embedEach, type Outcome } from './embed-each.ts'
import type { Maker } from './makers.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { type Failure, readFailures, upsertFailure } from './store/failures.ts'
import { deleteVectors, insertVectors } from './store/vectors.ts'

interface Writing {
  readonly needs: EmbeddingsNeeds
  readonly signal?: AbortSignal | undefined
}

const attemptsAtMost = 3
const firstRestMs = 600_000

/** Embeds the present words of those of these memories that are live, and keeps what becomes of each. */
export async function writeVectors(
  { needs, signal }: Writing,
  { embedder, identity }: Maker,
  ids: readonly string[],
): Promise<void> {
  const words = await needs.memories().listWords(needs.background, ids)
  if (words.length > 0)
    await keepOutcomes(needs, identity, await embedEach(embedder, { words, signal }))
}

/** Leaves out what was changed or purged meanwhile; gives how many of the others there are. */
export async function keepOutcomes(
  needs: EmbeddingsNeeds,
  identity: string,
  outcomes: readonly Outcome[],
): Promise<number> {
  const createdAt = needs.host.now().toISOString()
  return await transaction(needs.db, async (db) => {
    const hashes = await needs.memories().lockHashes(db, idsOf(outcomes))
    const present = outcomes.filter(({ words }) => hashes.get(words.id) === words.contentHash)
    const without = present.filter(({ made }) => made === undefined)
    const before = await readFailures(db, identity, idsOf(without))
    await deleteVectors(db, idsOf(present), identity)
    await insertVectors(
      db,
      { identity, createdAt },
      present.flatMap(({ words: { id: memoryId, agentId, contentHash }, made }) =>
        made ? [{ memoryId, agentId, contentHash, ...made }] : [],
      ),
    )
    for (const outcome of without)
      await upsertFailure(db, identity, toFailure(needs, outcome, before.get(outcome.words.id)))
    return present.length
  })
}

/** Three attempts, ten minutes and then twenty apart; after that only other words are, as often. */
function toFailure({ host }: EmbeddingsNeeds, { words, refused }: Outcome, before?: Failure) {
  const { id: memoryId, agentId, contentHash } = words
  const now = host.now()
  const attempts = (before?.contentHash === contentHash ? before.attempts : 0) + 1
  const retry = new Date(now.getTime() + firstRestMs * attempts)
  const again = refused !== undefined && attempts < attemptsAtMost
  return {
    ...{ memoryId, agentId, contentHash, attempts },
    reason: refused ?? 'the words have no direction',
    retryAt: again ? retry.toISOString() : null,
    failedAt: now.toISOString(),
  }
}

function idsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.map(({ words }) => words.id)
}
