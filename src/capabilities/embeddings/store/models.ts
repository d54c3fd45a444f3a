import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type FailureRow, type ModelRow, tables } from './rows.ts'
import type { MemoryPredicate } from './vectors.ts'

export function listModels(db: Db): Promise<ModelRow[]> {
  return tables(db).selectFrom('embeddingModels').selectAll().orderBy('createdAt').execute()
}

/** Does nothing if the identity exists. */
export async function insertModel(db: Db, model: ModelRow): Promise<void> {
  await tables(db)
    .insertInto('embeddingModels')
    .values(model)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateModel(
  db: Db,
  identity: string,
  changes: Partial<Pick<ModelRow, 'state' | 'seenRevision' | 'promotedAt'>>,
): Promise<void> {
  await tables(db)
    .updateTable('embeddingModels')
    .set(changes)
    .where('identity', '=', identity)
    .execute()
}

export async function retireBuilding(db: Db): Promise<void> {
  await tables(db)
    .updateTable('embeddingModels')
    .set({ state: 'retired' })
    .where('state', '=', 'building')
    .execute()
}

export type Failure = Omit<FailureRow, 'identity'>

export async function upsertFailure(db: Db, identity: string, failure: Failure): Promise<void> {
  await tables(db)
    .insertInto('embeddingFailures')
    .values({ identity, ...failure })
    .onConflict((conflict) => conflict.columns(['identity', 'memoryId']).doUpdateSet(failure))
    .execute()
}

export async function readFailures(
  db: Db,
  identity: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, Failure>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await tables(db)
    .selectFrom('embeddingFailures')
    .selectAll()
    .where('identity', '=', identity)
    .where('memoryId', 'in', memoryIds)
    .execute()
  return new Map(rows.map((row) => [row.memoryId, row]))
}

interface DueFilter {
  readonly now: string
  readonly limit: number
  readonly isLive: MemoryPredicate
}

/** Each live memory whose retry is due, oldest first. */
export async function listDueFailures(
  db: Db,
  identity: string,
  { now, limit, isLive }: DueFilter,
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('embeddingFailures')
    .select('memoryId')
    .where('identity', '=', identity)
    .where('retryAt', '<=', now)
    .where(isLive(sql.ref('embeddingFailures.memoryId')))
    .orderBy('retryAt')
    .limit(limit)
    .execute()
  return rows.map(({ memoryId }) => memoryId)
}

/** Deletes all failures of an identity, so that each text is retried. */
export async function deleteFailuresOf(db: Db, identity: string): Promise<void> {
  await tables(db).deleteFrom('embeddingFailures').where('identity', '=', identity).execute()
}

/** Counts the failures of each live memory. */
export async function countFailures(
  db: Db,
  identity: string,
  isLive: MemoryPredicate,
): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('embeddingFailures')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('identity', '=', identity)
    .where(isLive(sql.ref('embeddingFailures.memoryId')))
    .executeTakeFirstOrThrow()
  return Number(count)
}
