import type { Db } from '../../../kernel/db/database.ts'
import { type Capture, tables } from './rows.ts'

export async function findCapture(
  db: Db,
  { agentId, id }: Pick<Capture, 'agentId' | 'id'>,
): Promise<Capture | undefined> {
  return tables(db)
    .selectFrom('transcriptCaptures')
    .selectAll()
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .executeTakeFirst()
}

/** One for each session. A new capture replaces the old one and retains its creation time. */
export async function upsertCapture(db: Db, { createdAt, ...capture }: Capture): Promise<void> {
  const { id, ...changed } = capture
  await tables(db)
    .insertInto('transcriptCaptures')
    .values({ ...capture, createdAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute()
}

/** False if a newer content is to be captured. */
export async function completeCapture(
  db: Db,
  { id, contentHash }: Pick<Capture, 'id' | 'contentHash'>,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('transcriptCaptures')
    .set({ completedAt: at, updatedAt: at, problem: null })
    .where('id', '=', id)
    .where('contentHash', '=', contentHash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countByCompletion(
  db: Db,
  agentId: string | undefined,
): Promise<{ readonly open: number; readonly completed: number }> {
  let query = tables(db)
    .selectFrom('transcriptCaptures')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('all'),
      fn.count<number | string>('completedAt').as('completed'),
    ])
  if (agentId !== undefined) query = query.where('agentId', '=', agentId)
  const { all, completed } = await query.executeTakeFirstOrThrow()
  return { open: Number(all) - Number(completed), completed: Number(completed) }
}

export async function deleteCapturesBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('transcriptCaptures').where('updatedAt', '<', before).execute()
}
