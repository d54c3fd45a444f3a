import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { HasVector, IsKept } from './vectors.ts'

/** What the database says of a memory of which it knows nothing but this. */
export async function isFound(db: Db, id: string, hasVector: HasVector): Promise<boolean> {
  const one = sql<{ id: string }>`(select ${id} as id)`.as('played')
  const query = db.selectFrom(one).select('id').where(hasVector('played.id'))
  return (await query.execute()).length > 0
}

/** Whether it is one of these. */
export function isAmong(ids: readonly string[]): IsKept {
  return (id) => sql<SqlBool>`${id} in (${sql.join(['nobody', ...ids])})`
}
