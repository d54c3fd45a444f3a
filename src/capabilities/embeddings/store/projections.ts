import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

export interface StoredProjection {
  /** Whose view it is. */
  readonly scope: string
  readonly dimensions: number
  /** Of the vectors that it was made from. */
  readonly fingerprint: string
  /** JSON. */
  readonly payload: string
  readonly createdAt: string
}

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

/** All but the newest. */
export async function deleteOldProjections(db: Db, kept: number): Promise<void> {
  const [oldest] = await tables(db)
    .selectFrom('umapCache')
    .select('createdAt')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .offset(kept - 1)
    .execute()
  if (oldest)
    await tables(db).deleteFrom('umapCache').where('createdAt', '<', oldest.createdAt).execute()
}

/** Those whose scope begins so. */
export async function deleteProjections(db: Db, begins: string): Promise<void> {
  await tables(db)
    .deleteFrom('umapCache')
    .where(({ eb, fn, lit }) =>
      eb(fn('substr', ['scope', lit(1), lit(begins.length)]), '=', begins),
    )
    .execute()
}
