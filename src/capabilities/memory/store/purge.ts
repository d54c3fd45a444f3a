import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { reserveRevisions } from './memories.ts'
import { type Tables, tables } from './rows.ts'

/** Ids of memories deleted before a time, oldest first. */
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

/** Counts memories deleted before a time. */
export async function countExpired(db: Db, before: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('deletedAt', 'is not', null)
    .where('deletedAt', '<', before)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Deletes the agent's memories, temporal edges and feedback permanently. Returns memories that were
 * derived from them.
 */
export async function purgeAgent(
  db: Db,
  { agentId, at }: { readonly agentId: string; readonly at: string },
): Promise<PurgedMemory[]> {
  const { eb } = expressionBuilder<Tables, 'memories'>()
  await tables(db).deleteFrom('temporalEdges').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('memoryFeedback').where('agentId', '=', agentId).execute()
  const derived = await purge(db, eb('memories.agentId', '=', agentId), at)
  // Rows that add up to zero.
  await tables(db).deleteFrom('memoryCounts').where('agentId', '=', agentId).execute()
  return derived
}

interface PurgedMemory {
  readonly id: string
  readonly agentId: string
}

/** Permanently deletes expired memories and those derived from them. Returns both. */
export async function purgeExpired(
  db: Db,
  expired: { readonly ids: readonly string[]; readonly before: string; readonly at: string },
): Promise<PurgedMemory[]> {
  const { eb, and } = expressionBuilder<Tables, 'memories'>()
  // Checked again: a memory may have been recovered in between.
  const isStillExpired = eb('memories.deletedAt', '<', expired.before)
  const condition = and([eb('memories.id', 'in', expired.ids), isStillExpired])
  const purgedRows = await tables(db)
    .selectFrom('memories')
    .select(['id', 'agentId'])
    .where(condition)
    .execute()
  const derived = await purge(db, condition, expired.at)
  const ids = new Set(purgedRows.map(({ id }) => id))
  return [...purgedRows, ...derived.filter(({ id }) => !ids.has(id))]
}

/** Permanently deletes derived memories, deleted or not. Returns those derived from them. */
export async function purgeDerived(
  db: Db,
  { ids, at }: { readonly ids: readonly string[]; readonly at: string },
): Promise<PurgedMemory[]> {
  const { eb, and } = expressionBuilder<Tables, 'memories'>()
  const isDerived = eb('memories.memoryKind', '=', 'derived')
  return purge(db, and([eb('memories.id', 'in', ids), isDerived]), at)
}

/**
 * Deletes history, hints and counters too. Records the purge for feed readers. Purges the memories
 * that were derived from them first, and returns these.
 */
async function purge(db: Db, condition: Expression<SqlBool>, at: string): Promise<PurgedMemory[]> {
  const derived = await purgeDependants(db, condition, at)
  const revision = await reserveRevisions(db)
  const { numInsertedOrUpdatedRows = 0n } = await tables(db)
    .insertInto('memoryPurged')
    .columns(['revision', 'id', 'purgedAt'])
    .expression((eb) =>
      eb
        .selectFrom('memories')
        .select([revision.as('revision'), 'memories.id', sql<string>`${at}`.as('purgedAt')])
        .where(condition),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return derived
  await tables(db)
    .deleteFrom('temporalEdges')
    .where('subjectType', '=', 'memory')
    .where('subjectId', 'in', (eb) =>
      eb.selectFrom('memories').select('memories.id').where(condition),
    )
    .execute()
  await updatePredecessors(db, condition, revision)
  await tables(db).deleteFrom('memories').where(condition).execute()
  return derived
}

async function purgeDependants(
  db: Db,
  condition: Expression<SqlBool>,
  at: string,
): Promise<PurgedMemory[]> {
  const sourceIds = tables(db).selectFrom('memories').select('memories.id').where(condition)
  const linked = await tables(db)
    .selectFrom('memorySources')
    .select('memoryId')
    .where('sourceId', 'in', sourceIds)
    .execute()
  const ids = [...new Set(linked.map(({ memoryId }) => memoryId))]
  if (ids.length === 0) return []
  // Without its links a memory is purged once.
  await tables(db).deleteFrom('memorySources').where('memoryId', 'in', ids).execute()
  const isLinked = expressionBuilder<Tables, 'memories'>().eb('memories.id', 'in', ids)
  const rows = await tables(db)
    .selectFrom('memories')
    .select(['id', 'agentId'])
    .where(isLinked)
    .execute()
  return [...rows, ...(await purge(db, isLinked, at))]
}

/** The feed derives their supersession time from the purged successor. */
async function updatePredecessors(
  db: Db,
  condition: Expression<SqlBool>,
  revision: Expression<number>,
): Promise<void> {
  const purgedIds = tables(db).selectFrom('memories').select('memories.id').where(condition)
  await tables(db)
    .updateTable('memories')
    .set({ revision })
    .where('supersededBy', 'in', purgedIds)
    .execute()
}

/** Deletes old purge records. Readers behind them must start from scratch. */
export async function deletePurgedBefore(db: Db, before: string): Promise<void> {
  const lastOld = await tables(db)
    .selectFrom('memoryPurged')
    .select(({ fn }) => fn.max('revision').as('revision'))
    .where('purgedAt', '<', before)
    .executeTakeFirst()
  if (!lastOld?.revision) return
  await tables(db).updateTable('memoryRevision').set({ sweptTo: lastOld.revision }).execute()
  await tables(db).deleteFrom('memoryPurged').where('revision', '<=', lastOld.revision).execute()
}

export async function archiveMemories(db: Db, agentId: string): Promise<void> {
  const revision = await reserveRevisions(db)
  await tables(db)
    .updateTable('memories')
    .set({ visibility: 'archived', revision })
    .where('agentId', '=', agentId)
    .execute()
}
