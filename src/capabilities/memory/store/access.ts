import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { reusable } from '../../../kernel/db/reusable.ts'
import { writeTogether } from '../../../kernel/db/write-together.ts'
import { tables } from './rows.ts'

/** What was never recalled has no row. */
export interface Access {
  readonly accessCount: number
  readonly lastAccessed: string | null
}

/** Counts one recall for each of these; what is purged meanwhile is left out. */
export async function countAccess(db: Db, ids: readonly string[], at: string): Promise<void> {
  if (ids.length === 0) return
  await writeTogether(db, [counting(db, { ids, at })])
}

const counting = reusable(
  (db, { ids, at }: { readonly ids: readonly string[]; readonly at: string }) =>
    tables(db)
      .insertInto('memoryAccess')
      .columns(['memoryId', 'accessCount', 'lastAccessed'])
      .expression((eb) =>
        eb
          .selectFrom('memories')
          .select(['memories.id', sql<number>`1`.as('count'), sql<string>`${at}`.as('at')])
          .where('memories.id', 'in', ids),
      )
      .onConflict((conflict) =>
        conflict.column('memoryId').doUpdateSet({
          accessCount: sql<number>`memory_access.access_count + 1`,
          lastAccessed: at,
        }),
      ),
)
