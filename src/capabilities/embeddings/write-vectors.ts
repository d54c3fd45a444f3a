import { transaction } from '../../kernel/db/transaction.ts'
import { embedEach, type Outcome } from './embed-each.ts'
import type { Maker } from './makers.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { readFailures, upsertFailure } from './store/failures.ts'
import { deleteVectors, insertVectors } from './store/vectors.ts'

interface Writing {
  readonly needs: EmbeddingsNeeds
  readonly signal?: AbortSignal | undefined
}

const attemptsAtMost = 3
const firstRestMs = 600_000

/** Embeds the present words of these memories and keeps what becomes of each. */
export async function writeVectors(
  { needs, signal }: Writing,
  { embedder, identity }: Maker,
  ids: readonly string[],
): Promise<void> {
  const words = await needs.memories().listWords(needs.background, ids)
  const outcomes = await embedEach(embedder, { words, signal })
  const createdAt = needs.host.now().toISOString()
  await transaction(needs.db, async (db) => {
    // What was changed or purged meanwhile is not what these vectors are of.
    const hashes = await needs.memories().listHashes(db, ids)
    const present = outcomes.filter(({ words }) => hashes.get(words.id) === words.contentHash)
    const refused = present.filter((outcome) => outcome.refused !== undefined)
    const before = await readFailures(db, identity, idsOf(refused))
    await deleteVectors(db, idsOf(present), identity)
    await insertVectors(
      db,
      { identity, createdAt },
      present.flatMap(({ words: { id: memoryId, agentId, contentHash }, made }) =>
        made ? [{ memoryId, agentId, contentHash, ...made }] : [],
      ),
    )
    for (const outcome of refused) {
      const { attempts = 0 } = before.get(outcome.words.id) ?? {}
      await upsertFailure(db, identity, toFailure(needs, outcome, attempts + 1))
    }
  })
}

/** Three attempts, ten minutes and then twenty apart; after that only other words are tried. */
function toFailure({ host }: EmbeddingsNeeds, { words, refused = '' }: Outcome, attempt: number) {
  const { id: memoryId, agentId, contentHash } = words
  const now = host.now()
  const retry = new Date(now.getTime() + firstRestMs * attempt)
  return {
    ...{ memoryId, agentId, contentHash, reason: refused, attempts: attempt },
    retryAt: attempt < attemptsAtMost ? retry.toISOString() : null,
    failedAt: now.toISOString(),
  }
}

function idsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.map(({ words }) => words.id)
}
