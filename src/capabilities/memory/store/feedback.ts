import type { Db } from '../../../kernel/db/database.ts'
import { type FeedbackRow, tables } from './rows.ts'

export async function listFeedback(
  db: Db,
  { agentId, key }: Pick<FeedbackRow, 'agentId' | 'key'>,
  memoryIds: readonly string[],
): Promise<FeedbackRow[]> {
  if (memoryIds.length === 0) return []
  return tables(db)
    .selectFrom('memoryFeedback')
    .selectAll()
    .where('memoryId', 'in', memoryIds)
    .where('agentId', '=', agentId)
    .where('key', '=', key)
    .execute()
}

/** Replaces the previous rating of this key. */
export async function upsertFeedback(db: Db, feedback: FeedbackRow): Promise<void> {
  const { rating, createdAt } = feedback
  await tables(db)
    .insertInto('memoryFeedback')
    .values(feedback)
    .onConflict((conflict) =>
      conflict.columns(['memoryId', 'agentId', 'key']).doUpdateSet({ rating, createdAt }),
    )
    .execute()
}

export async function deleteFeedback(
  db: Db,
  { memoryId, agentId, key }: Pick<FeedbackRow, 'memoryId' | 'agentId' | 'key'>,
): Promise<void> {
  await tables(db)
    .deleteFrom('memoryFeedback')
    .where('memoryId', '=', memoryId)
    .where('agentId', '=', agentId)
    .where('key', '=', key)
    .execute()
}
