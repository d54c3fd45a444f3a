import type { Db } from '../../kernel/db/database.ts'
import type { FeedbackStats } from './search-request.ts'
import { listInvalid, listRatingTotals } from './store/feedback-stats.ts'

export async function readFeedbackStats(
  db: Db,
  ids: readonly string[],
  { agentId, at }: { readonly agentId: string; readonly at: string },
): Promise<ReadonlyMap<string, FeedbackStats>> {
  if (ids.length === 0) return new Map()
  const [totals, invalid] = await Promise.all([
    listRatingTotals(db, agentId, ids),
    listInvalid(db, ids, at),
  ])
  const byId = new Map(totals.map((total) => [total.memoryId, total]))
  return new Map(
    ids.map((id) => {
      const { ratings = 0, rated = 0 } = byId.get(id) ?? {}
      return [id, { ratings, rated, valid: !invalid.has(id) }]
    }),
  )
}
