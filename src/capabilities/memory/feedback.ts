import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { assertWritable } from './freeze.ts'
import { newHistoryEvent } from './history-event.ts'
import type { MemoryContext, MemoryNeeds } from './needs.ts'
import { deleteFeedback, listFeedback, upsertFeedback } from './store/feedback.ts'
import { insertHistory } from './store/history.ts'
import { listVisible } from './store/memories.ts'
import type { FeedbackRow } from './store/rows.ts'

/** What an agent thinks of memories that it was given; of each memory it thinks one thing a session. */
export interface FeedbackRequest {
  /** Under which this is said once; undefined for the session that asks. */
  readonly key: string | undefined
  /** From -1 to 1 by the id of the memory; 0 takes back what was said. */
  readonly ratings: ReadonlyMap<string, number>
}

export interface FeedbackResult {
  readonly id: string
  readonly status: 'recorded' | 'unchanged' | 'withdrawn' | 'not_found'
}

/** Says of each memory what became of its rating; said twice, it counts once. */
export function giveFeedback(
  needs: MemoryNeeds,
  caller: Caller,
  { key: requestKey, ratings }: FeedbackRequest,
): Promise<FeedbackResult[]> {
  assertWritable(needs.config())
  const { agentId } = caller
  const key = requestKey ?? caller.sessionKey
  if (key === null) throw new Refusal('invalid', 'invalid_request', 'sessionKey is required')
  return transaction(needs.db, async (db) => {
    const ids = [...ratings.keys()]
    const scope = await needs.agents.readScopeOf(db, caller)
    const visibleIds = new Set(await listVisible(db, scope, ids))
    const existing = await listFeedback(db, { agentId, key }, ids)
    const previousRatings = new Map(existing.map(({ memoryId, rating }) => [memoryId, rating]))
    const results: FeedbackResult[] = []
    for (const [id, rating] of ratings) {
      const change = { memoryId: id, key, rating, previous: previousRatings.get(id) ?? 0 }
      const status = visibleIds.has(id) ? statusOf(change) : 'not_found'
      if (status === 'recorded' || status === 'withdrawn')
        await saveRating({ ...needs, caller }, db, change)
      results.push({ id, status })
    }
    return results
  })
}

interface Rating extends Pick<FeedbackRow, 'memoryId' | 'key' | 'rating'> {
  /** 0 when nothing was said. */
  readonly previous: number
}

function statusOf({ rating, previous }: Rating): FeedbackResult['status'] {
  if (rating === previous) return 'unchanged'
  return rating === 0 ? 'withdrawn' : 'recorded'
}

async function saveRating(
  needs: MemoryContext,
  db: Db,
  { previous, ...existing }: Rating,
): Promise<void> {
  const { agentId } = needs.caller
  const createdAt = needs.host.now().toISOString()
  const feedback = { ...existing, agentId, createdAt }
  if (existing.rating === 0) await deleteFeedback(db, feedback)
  else await upsertFeedback(db, feedback)
  const historyEvent = newHistoryEvent(needs, {
    memoryId: existing.memoryId,
    event: 'rated',
    createdAt,
    metadata: { rating: existing.rating, previous, agentId },
  })
  await insertHistory(db, historyEvent)
}
