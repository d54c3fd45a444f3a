import { sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { executeBatch } from '../../../kernel/db/execute-batch.ts'
import type { Memory } from '../memory.ts'
import { inNamespace, type Namespace } from './filter.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

/** A memory without recalls has no row. */
export interface Access {
  readonly accessCount: number
  readonly lastAccessed: string | null
}

/** Number of recalls to add, and the time of the last one. */
interface AccessUpdate {
  readonly times: number
  readonly at: string
}

/** Adds the same count to each memory. Skips purged ones. */
export async function countAccess(
  db: Db,
  ids: readonly string[],
  use: AccessUpdate,
): Promise<void> {
  if (ids.length === 0) return
  await executeBatch(db, [upsertAccess(db, { ids, ...use })])
}

const upsertAccess = compileOnce(
  (db, { ids, times, at }: AccessUpdate & { readonly ids: readonly string[] }) =>
    tables(db)
      .insertInto('memoryAccess')
      .columns(['memoryId', 'accessCount', 'lastAccessed'])
      .expression((eb) =>
        eb
          .selectFrom('memories')
          .select([
            'memories.id',
            sql<number>`cast(${times} as integer)`.as('count'),
            sql<string>`${at}`.as('at'),
          ])
          .where('memories.id', 'in', ids),
      )
      .onConflict((conflict) =>
        conflict.column('memoryId').doUpdateSet({
          accessCount: sql<number>`memory_access.access_count + ${times}`,
          lastAccessed: at,
        }),
      ),
)

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
