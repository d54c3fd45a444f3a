import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { HasVector, MemoryPredicate } from './vectors.ts'

/** Evaluates `hasVector` for one memory id. */
export async function isFound(db: Db, id: string, hasVector: HasVector): Promise<boolean> {
  const one = sql<{ id: string }>`(select ${id} as id)`.as('fake')
  const query = db.selectFrom(one).select('id').where(hasVector('fake.id'))
  return (await query.execute()).length > 0
}

/** True for one of these ids. */
export function isAmong(ids: readonly string[]): MemoryPredicate {
  return (id) => sql<SqlBool>`${id} in (${sql.join(['missing', ...ids])})`
}
