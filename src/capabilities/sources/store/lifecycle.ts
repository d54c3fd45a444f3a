import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Records that an imported source no longer supports what was derived from it. */
export async function saveRemoval(
  db: Db,
  removal: {
    readonly agentId: string
    readonly sourceId: string
    readonly reason: string
    readonly removedAt: string
  },
): Promise<void> {
  const { reason, removedAt } = removal
  await tables(db)
    .insertInto('importedSourceLifecycle')
    .values({ ...removal, status: 'unsupported', reviewedAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'sourceId'])
        .doUpdateSet({ status: 'unsupported', reason, removedAt, reviewedAt: null }),
    )
    .execute()
}

export async function deleteRemovals(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('importedSourceLifecycle').where('agentId', '=', agentId).execute()
}
