import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

/** Links a memory to the memories that it was derived from. */
export async function insertSources(
  db: Db,
  memoryId: string,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return
  await tables(db)
    .insertInto('memorySources')
    .values(sourceIds.map((sourceId) => ({ memoryId, sourceId, lostAt: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Memories that were derived from one of the sources. */
export async function listDependants(db: Db, sourceIds: readonly string[]): Promise<Memory[]> {
  return (await selectDependants(db, { sourceIds })).map(toMemory)
}

const selectDependants = compileSelectOnce(
  (db, { sourceIds }: { readonly sourceIds: readonly string[] }) =>
    tables(db)
      .selectFrom('memories')
      .select(memoryColumns)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('memorySources')
          .select('memorySources.memoryId')
          .where('sourceId', 'in', sourceIds),
      )
      .orderBy('id'),
)

/** When the first of its forgotten sources was forgotten; null while it has all of them. */
export async function findLostAt(db: Db, memoryId: string): Promise<string | null> {
  const row = await tables(db)
    .selectFrom('memorySources')
    .select(({ fn }) => fn.min('lostAt').as('lostAt'))
    .where('memoryId', '=', memoryId)
    .executeTakeFirst()
  return row?.lostAt ?? null
}

export async function updateLostAt(
  db: Db,
  { memoryId, sourceIds }: { readonly memoryId: string; readonly sourceIds: readonly string[] },
  lostAt: string | null,
): Promise<void> {
  await tables(db)
    .updateTable('memorySources')
    .set({ lostAt })
    .where('memoryId', '=', memoryId)
    .where('sourceId', 'in', sourceIds)
    .execute()
}
