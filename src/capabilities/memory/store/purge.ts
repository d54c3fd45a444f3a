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

/** Deletes the agent's memories, temporal edges and feedback permanently. */
export async function purgeAgent(
  db: Db,
  { agentId, at }: { readonly agentId: string; readonly at: string },
): Promise<void> {
  const { eb } = expressionBuilder<Tables, 'memories'>()
  await tables(db).deleteFrom('temporalEdges').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('memoryFeedback').where('agentId', '=', agentId).execute()
  await purge(db, eb('memories.agentId', '=', agentId), at)
  // Rows that add up to zero.
  await tables(db).deleteFrom('memoryCounts').where('agentId', '=', agentId).execute()
}

interface PurgedMemory {
  readonly id: string
  readonly agentId: string
}

/** Permanently deletes expired memories. Returns them. */
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
  await purge(db, condition, expired.at)
  return purgedRows
}

/** Permanently deletes derived memories, deleted or not. */
export async function purgeDerived(
  db: Db,
  { ids, at }: { readonly ids: readonly string[]; readonly at: string },
): Promise<void> {
  const { eb, and } = expressionBuilder<Tables, 'memories'>()
  const isDerived = eb('memories.memoryKind', '=', 'derived')
  await purge(db, and([eb('memories.id', 'in', ids), isDerived]), at)
}

/** Deletes history, hints and counters too. Records the purge for feed readers. */
async function purge(db: Db, condition: Expression<SqlBool>, at: string): Promise<number> {
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
  if (numInsertedOrUpdatedRows === 0n) return 0
  await tables(db)
    .deleteFrom('temporalEdges')
    .where('subjectType', '=', 'memory')
    .where('subjectId', 'in', (eb) =>
      eb.selectFrom('memories').select('memories.id').where(condition),
    )
    .execute()
  await updatePredecessors(db, condition, revision)
  await tables(db).deleteFrom('memories').where(condition).execute()
  return Number(numInsertedOrUpdatedRows)
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
  const swept = await tables(db)
    .selectFrom('memoryPurged')
    .select(({ fn }) => fn.max('revision').as('revision'))
    .where('purgedAt', '<', before)
    .executeTakeFirst()
  if (!swept?.revision) return
  await tables(db).updateTable('memoryRevision').set({ sweptTo: swept.revision }).execute()
  await tables(db).deleteFrom('memoryPurged').where('revision', '<=', swept.revision).execute()
}

export async function archiveMemories(db: Db, agentId: string): Promise<void> {
  const revision = await reserveRevisions(db)
  await tables(db)
    .updateTable('memories')
    .set({ visibility: 'archived', revision })
    .where('agentId', '=', agentId)
    .execute()
}
