import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'

/** The context window of a session; each epoch starts an empty one. */
export interface SessionContext {
  readonly sessionKey: string
  readonly agentId: string
}

export interface Epoch extends SessionContext {
  readonly epoch: number
  readonly reason: string
  readonly sourceRef: string | null
  readonly createdAt: string
}

export interface LedgerItem {
  readonly itemKind: string
  readonly itemId: string
}

interface RecallEventRow extends SessionContext, LedgerItem {
  readonly contextEpoch: number
  readonly createdAt: string
  /** The session itself, where `sessionKey` is a key of the ledger alone. */
  readonly ownerSessionKey?: string | null | undefined
  /** Null in rows written before these columns existed. */
  readonly surface: string | null
  readonly mode: string | null
  readonly score: number | null
  readonly source: string | null
}

/** Surface of session starts. */
const startSurface = 'api.hooks.session-start'

type Tables = { sessionContextEpochs: Epoch; sessionRecallEvents: RecallEventRow }
const tables = (db: Db) => db.withTables<Tables>()

/** The latest epoch, 0 before the first advance. */
export async function findEpoch(db: Db, { sessionKey, agentId }: SessionContext): Promise<number> {
  const row = await tables(db)
    .selectFrom('sessionContextEpochs')
    .select((eb) => eb.fn.max('epoch').as('epoch'))
    .where('sessionKey', '=', sessionKey)
    .where('agentId', '=', agentId)
    .executeTakeFirst()
  return row?.epoch ?? 0
}

/** False when the epoch exists. */
export async function insertEpoch(db: Db, epoch: Epoch): Promise<boolean> {
  const rows = await tables(db)
    .insertInto('sessionContextEpochs')
    .values(epoch)
    .onConflict((conflict) => conflict.doNothing())
    .returning('epoch')
    .execute()
  return rows.length === 1
}

/** Lists the given items that the context already contains. */
export async function listLedgerItems(
  db: Db,
  { sessionKey, agentId, epoch }: SessionContext & { readonly epoch: number },
  itemIds: readonly string[],
): Promise<LedgerItem[]> {
  if (itemIds.length === 0) return []
  return tables(db)
    .selectFrom('sessionRecallEvents')
    .select(['itemKind', 'itemId'])
    .where('sessionKey', '=', sessionKey)
    .where('agentId', '=', agentId)
    .where('contextEpoch', '=', epoch)
    .where('itemId', 'in', itemIds)
    .execute()
}

/** Returns the inserted rows: of two concurrent inserts of one item, one succeeds. */
export async function insertLedgerItems(
  db: Db,
  rows: readonly RecallEventRow[],
): Promise<LedgerItem[]> {
  if (rows.length === 0) return []
  return tables(db)
    .insertInto('sessionRecallEvents')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['itemKind', 'itemId'])
    .execute()
}

/**
 * Deletes expired ledger rows. The latest epoch of an active session stays:
 * a second epoch with the same number would suppress its items.
 */
export async function deleteOlder(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('sessionRecallEvents').where('createdAt', '<', before).execute()
  await tables(db)
    .deleteFrom('sessionContextEpochs')
    .where('createdAt', '<', before)
    .where(({ or, not, exists, selectFrom }) => {
      const later = selectFrom('sessionContextEpochs as later')
        .select('later.epoch')
        .whereRef('later.sessionKey', '=', 'sessionContextEpochs.sessionKey')
        .whereRef('later.agentId', '=', 'sessionContextEpochs.agentId')
        .whereRef('later.epoch', '>', 'sessionContextEpochs.epoch')
      const events = selectFrom('sessionRecallEvents as event')
        .select('event.itemId')
        .whereRef('event.sessionKey', '=', 'sessionContextEpochs.sessionKey')
        .whereRef('event.agentId', '=', 'sessionContextEpochs.agentId')
      return or([exists(later), not(exists(events))])
    })
    .execute()
}

export async function deleteOfAgent(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('sessionRecallEvents').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('sessionContextEpochs').where('agentId', '=', agentId).execute()
}

export type RecallEvent = RecallEventRow

const owner = sql<string>`coalesce(owner_session_key, session_key)`

/** Rows with a known session: old rows of session starts have only the ledger key. */
function hasKnownSession(eb: ExpressionBuilder<Tables, 'sessionRecallEvents'>) {
  return eb.or([
    eb('ownerSessionKey', 'is not', null),
    eb('surface', 'is', null),
    eb('surface', '!=', startSurface),
  ])
}

/** Counts events by session, latest first. */
export async function countRecallEvents(
  db: Db,
  agentId: string,
  { keys, limit }: { readonly keys?: readonly string[]; readonly limit: number },
) {
  let query = tables(db)
    .selectFrom('sessionRecallEvents')
    .select(({ fn }) => [
      owner.as('sessionKey'),
      fn.max('createdAt').as('lastAt'),
      fn.countAll<number | string>().as('count'),
    ])
    .where('agentId', '=', agentId)
    .where(hasKnownSession)
  if (keys) query = query.where(owner, 'in', keys)
  const rows = await query.groupBy(owner).orderBy('lastAt', 'desc').limit(limit).execute()
  return rows.map(({ count, ...row }) => ({ ...row, project: null, count: Number(count) }))
}

/** Lists the events of a session, latest first. */
export async function listRecallEvents(
  db: Db,
  { agentId, sessionKey }: SessionContext,
  limit: number,
): Promise<RecallEvent[]> {
  return tables(db)
    .selectFrom('sessionRecallEvents')
    .selectAll()
    .where(({ eb, or }) =>
      or([
        eb('ownerSessionKey', '=', sessionKey),
        eb.and([eb('ownerSessionKey', 'is', null), eb('sessionKey', '=', sessionKey)]),
      ]),
    )
    .where(hasKnownSession)
    .where('agentId', '=', agentId)
    .orderBy('createdAt', 'desc')
    .orderBy('itemId')
    .limit(limit)
    .execute()
}
