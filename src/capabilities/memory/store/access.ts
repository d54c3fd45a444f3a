import { sql } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { executeBatch } from '../../../kernel/db/execute-batch.ts'
import { tables } from './rows.ts'

/** What was never recalled has no row. */
export interface Access {
  readonly accessCount: number
  readonly lastAccessed: string | null
}

/** That something was recalled so often, and when it was the last time. */
export interface AccessUpdate {
  readonly times: number
  readonly at: string
}

/** Counts the same for each of these; what is purged meanwhile is left out. */
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
