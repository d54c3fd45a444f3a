import type { Db } from '../../../kernel/db/database.ts'
import { type StoredProjection, tables } from './rows.ts'

export function findProjection(
  db: Db,
  { scope, dimensions }: Pick<StoredProjection, 'scope' | 'dimensions'>,
): Promise<StoredProjection | undefined> {
  return tables(db)
    .selectFrom('umapCache')
    .selectAll()
    .where('scope', '=', scope)
    .where('dimensions', '=', dimensions)
    .executeTakeFirst()
}

export async function upsertProjection(db: Db, projection: StoredProjection): Promise<void> {
  await tables(db)
    .insertInto('umapCache')
    .values(projection)
    .onConflict((conflict) => conflict.columns(['scope', 'dimensions']).doUpdateSet(projection))
    .execute()
}

/** Deletes all but the newest `count`. */
export async function deleteOldProjections(db: Db, count: number): Promise<void> {
  const [oldest] = await tables(db)
    .selectFrom('umapCache')
    .select('createdAt')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .offset(count - 1)
    .execute()
  if (oldest)
    await tables(db).deleteFrom('umapCache').where('createdAt', '<', oldest.createdAt).execute()
}

/** Deletes the projections whose scope starts with `prefix`. */
export async function deleteProjections(db: Db, prefix: string): Promise<void> {
  await tables(db)
    .deleteFrom('umapCache')
    .where(({ eb, fn, lit }) =>
      eb(fn('substr', ['scope', lit(1), lit(prefix.length)]), '=', prefix),
    )
    .execute()
}
