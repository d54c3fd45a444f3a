import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { invalidRequest } from '../../kernel/errors/refusal.ts'
import { newHistoryEvent } from './memory.ts'
import type { MemoryContext, MemoryNeeds } from './needs.ts'
import { assertWritable } from './refusals.ts'
import { deleteFeedback, listFeedback, upsertFeedback } from './store/feedback.ts'
import { insertHistory } from './store/history.ts'
import { listVisible } from './store/memories.ts'
import type { FeedbackRow } from './store/rows.ts'

/** Ratings of recalled memories by an agent: one rating per memory and session. */
export interface FeedbackRequest {
  /** Deduplication key. Undefined means the session of the caller. */
  readonly key: string | undefined
  /** Rating from -1 to 1 by memory id. 0 withdraws the rating. */
  readonly ratings: ReadonlyMap<string, number>
}

export interface FeedbackResult {
  readonly id: string
  readonly status: 'recorded' | 'unchanged' | 'withdrawn' | 'not_found'
}

/** Returns a status for each memory. A repeated rating counts once. */
export function giveFeedback(
  needs: MemoryNeeds,
  caller: Caller,
  { key: requestKey, ratings }: FeedbackRequest,
): Promise<FeedbackResult[]> {
  assertWritable(needs.config())
  const { agentId } = caller
  const key = requestKey ?? caller.sessionKey
  if (key === null) throw invalidRequest('sessionKey is required')
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
  /** 0 without a previous rating. */
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
