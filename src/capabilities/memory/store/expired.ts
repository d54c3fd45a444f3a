import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Memories whose deletion lies before a moment, the oldest first. */
export async function listExpired(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select('id')
    .where('deletedAt', 'is not', null)
    .where('deletedAt', '<', before)
    .orderBy('deletedAt')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** For good: history, hints and counters go with their memory. Gives how many went. */
export async function purgeExpired(
  db: Db,
  { ids, before }: { readonly ids: readonly string[]; readonly before: string },
): Promise<number> {
  const purged = await tables(db)
    .deleteFrom('memories')
    .where('id', 'in', ids)
    // Asked again: one that was recovered in between stays.
    .where('deletedAt', '<', before)
    .returning('id')
    .execute()
  if (purged.length === 0) return 0
  await tables(db)
    .deleteFrom('temporalEdges')
    .where('subjectType', '=', 'memory')
    .where(
      'subjectId',
      'in',
      purged.map(({ id }) => id),
    )
    .execute()
  return purged.length
}
