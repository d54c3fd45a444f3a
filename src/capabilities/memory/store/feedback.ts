import type { Db } from '../../../kernel/db/database.ts'
import { type ReadScope, readableBy } from '../../../kernel/db/read-scope.ts'
import { type FeedbackRow, tables } from './rows.ts'

/** Those of these memories that are live and in the reader's sight. */
export async function listRateable(
  db: Db,
  scope: ReadScope,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tables(db)
    .selectFrom('memories')
    .select('id')
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .where(readableBy(scope, 'memories'))
    .execute()
  return rows.map(({ id }) => id)
}

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

/** What was said under this key before is replaced. */
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
