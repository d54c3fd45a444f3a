import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { inNamespace, type Namespace } from './filter.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

export interface MemoryUsage {
  readonly memory: Memory
  readonly accessCount: number
  readonly lastAccessed: string
}

/** Counters are the outer loop because their order is the result order; it stops at the limit. */
export async function listMostUsed(
  db: Db,
  readScope: ReadScope,
  { limit, ...namespace }: Namespace & { readonly limit: number },
): Promise<MemoryUsage[]> {
  const rows = await tables(db)
    .selectFrom('memoryAccess')
    .crossJoin('memories')
    .select(memoryColumns)
    .select(['memoryAccess.accessCount', 'memoryAccess.lastAccessed'])
    .whereRef('memories.id', '=', 'memoryAccess.memoryId')
    .where('memories.deletedAt', 'is', null)
    .where('memories.supersededBy', 'is', null)
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace(namespace))
    .orderBy('memoryAccess.accessCount', 'desc')
    .orderBy('memoryAccess.lastAccessed', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ accessCount, lastAccessed, ...row }) => ({
    memory: toMemory(row),
    accessCount,
    lastAccessed,
  }))
}
