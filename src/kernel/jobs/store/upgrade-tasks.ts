import type { Db } from '../../db/database.ts'
import type { RowKey } from '../../db/rewrite-texts.ts'

type Tables = { upgradeTasks: { readonly id: string; readonly position: string } }

const tables = (db: Db) => db.withTables<Tables>()

/** Null once the task is complete; undefined before it begins. */
export type SavedPosition = RowKey | null | undefined

export async function findPosition(db: Db, id: string): Promise<SavedPosition> {
  const row = await tables(db)
    .selectFrom('upgradeTasks')
    .select('position')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && JSON.parse(row.position)
}

export async function savePosition(db: Db, id: string, saved: SavedPosition): Promise<void> {
  const position = JSON.stringify(saved ?? null)
  await tables(db)
    .insertInto('upgradeTasks')
    .values({ id, position })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ position }))
    .execute()
}
