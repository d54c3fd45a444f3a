import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { type MemoryFilter, matchesLive } from './filter.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

/** Lists live memories of a filter: pinned first, then by importance and last change. */
export async function selectFiltered(
  db: Db,
  readScope: ReadScope,
  { filter, limit }: { readonly filter: MemoryFilter; readonly limit: number },
): Promise<Memory[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where(matchesLive(readScope, filter))
    .orderBy('pinned', 'desc')
    .orderBy('importance', 'desc')
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toMemory)
}
