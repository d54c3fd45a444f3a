import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { reserveRevisions } from './memories.ts'
import { type Tables, tables } from './rows.ts'

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

/** For good, with all that is known of the agent's times and all that it thought of memories. */
export async function purgeAgent(
  db: Db,
  { agentId, at }: { readonly agentId: string; readonly at: string },
): Promise<void> {
  const { eb } = expressionBuilder<Tables, 'memories'>()
  await tables(db).deleteFrom('temporalEdges').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('memoryFeedback').where('agentId', '=', agentId).execute()
  await purge(db, eb('memories.agentId', '=', agentId), at)
}

/** For good, as far as they are deleted since before then; gives which memories went. */
export async function purgeExpired(
  db: Db,
  expired: { readonly ids: readonly string[]; readonly before: string; readonly at: string },
): Promise<string[]> {
  const { eb, and } = expressionBuilder<Tables, 'memories'>()
  // Asked again: one that was recovered in between stays.
  const still = eb('memories.deletedAt', '<', expired.before)
  const which = and([eb('memories.id', 'in', expired.ids), still])
  const going = await tables(db).selectFrom('memories').select('id').where(which).execute()
  await purge(db, which, expired.at)
  return going.map(({ id }) => id)
}

/** History, hints and counters go with their memory; that it was there stays on record for a while. */
async function purge(db: Db, which: Expression<SqlBool>, at: string): Promise<number> {
  const revision = await reserveRevisions(db)
  const { numInsertedOrUpdatedRows = 0n } = await tables(db)
    .insertInto('memoryPurged')
    .columns(['revision', 'id', 'purgedAt'])
    .expression((eb) =>
      eb
        .selectFrom('memories')
        .select([revision.as('revision'), 'memories.id', sql<string>`${at}`.as('purgedAt')])
        .where(which),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return 0
  await tables(db)
    .deleteFrom('temporalEdges')
    .where('subjectType', '=', 'memory')
    .where('subjectId', 'in', (eb) => eb.selectFrom('memories').select('memories.id').where(which))
    .execute()
  await tellPredecessors(db, which, revision)
  await tables(db).deleteFrom('memories').where(which).execute()
  return Number(numInsertedOrUpdatedRows)
}

/** Since when something has taken their place is told by that. */
async function tellPredecessors(
  db: Db,
  which: Expression<SqlBool>,
  revision: Expression<number>,
): Promise<void> {
  const going = tables(db).selectFrom('memories').select('memories.id').where(which)
  await tables(db)
    .updateTable('memories')
    .set({ revision })
    .where('supersededBy', 'in', going)
    .execute()
}

/** The record of what was purged before then goes; who has not read it must read all anew. */
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
