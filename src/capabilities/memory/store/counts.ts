import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Counts the memories of every agent. Reads indexes only. */
export async function countMemories(
  db: Db,
): Promise<{ readonly live: number; readonly deleted: number }> {
  const counting = tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
  const all = await counting.executeTakeFirstOrThrow()
  const deleted = await counting.where('deletedAt', 'is not', null).executeTakeFirstOrThrow()
  return { live: Number(all.count) - Number(deleted.count), deleted: Number(deleted.count) }
}
