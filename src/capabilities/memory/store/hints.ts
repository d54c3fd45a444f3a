import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { tables } from './rows.ts'

/** Returns the number of new hints. */
export async function insertHints(
  db: Db,
  { id: memoryId, agentId }: Pick<Memory, 'id' | 'agentId'>,
  hints: readonly string[],
): Promise<number> {
  if (hints.length === 0) return 0
  const { numInsertedOrUpdatedRows = 0n } = await tables(db)
    .insertInto('memoryHints')
    .values(hints.map((hint) => ({ memoryId, agentId, hint })))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}
