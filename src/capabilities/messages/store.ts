import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { toIdRange } from '../../kernel/db/id-prefix.ts'
import type { Message, MessageReader, ReadMessage } from './message.ts'

type Row = Omit<Message, 'broadcast' | 'acp'> & {
  readonly broadcast: 0 | 1
  readonly acp: string | null
}

type Tables = {
  crossAgentMessages: Row
  crossAgentAcks: { readonly messageId: string; readonly agentId: string; readonly at: string }
}
const tables = (db: Db) => db.withTables<Tables>()

type Columns = ExpressionBuilder<Tables, 'crossAgentMessages'>

export async function insertMessage(db: Db, message: Message): Promise<void> {
  await tables(db).insertInto('crossAgentMessages').values(toRow(message)).execute()
}

export async function findMessage(
  db: Db,
  { id, agentId, now }: { readonly id: string; readonly agentId: string; readonly now: string },
): Promise<ReadMessage | undefined> {
  const row = await withAcks(db, agentId)
    .where('crossAgentMessages.id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row && toReadMessage(row)
}

/** Messages that have not expired. */
export async function countMessages(db: Db, now: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('crossAgentMessages')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface MessageFilter extends MessageReader {
  readonly now: string
  /** Undefined for all sessions of the agent. */
  readonly sessionKey: string | undefined
  readonly since: string | undefined
  readonly idPrefix?: string | undefined
  readonly includeSent: boolean
  readonly includeBroadcast: boolean
  readonly unreadOnly: boolean
}

interface Page {
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
}

export async function listMessages(
  db: Db,
  filter: MessageFilter,
  { limit, offset, order }: Page,
): Promise<ReadMessage[]> {
  const rows = await withAcks(db, filter.agentId)
    .where((columns) => matching(columns, filter))
    .orderBy('createdAt', order)
    .orderBy('crossAgentMessages.id', order)
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toReadMessage)
}

export async function countMatching(db: Db, filter: MessageFilter): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('crossAgentMessages')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where((columns) => matching(columns, filter))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function withAcks(db: Db, agentId: string) {
  return tables(db)
    .selectFrom('crossAgentMessages')
    .leftJoin('crossAgentAcks', (join) =>
      join
        .onRef('crossAgentAcks.messageId', '=', 'crossAgentMessages.id')
        .on('crossAgentAcks.agentId', '=', agentId),
    )
    .selectAll('crossAgentMessages')
    .select('crossAgentAcks.at as acknowledgedAt')
}

function matching(columns: Columns, filter: MessageFilter): Expression<SqlBool> {
  const { and, between, eb, not, or, exists, selectFrom } = columns
  const { agentId, idPrefix, includeSent, includeBroadcast, now, project, since, unreadOnly } =
    filter
  const idRange = idPrefix === undefined ? undefined : toIdRange(idPrefix)
  const acknowledged = exists(
    selectFrom('crossAgentAcks')
      .select('crossAgentAcks.messageId')
      .whereRef('crossAgentAcks.messageId', '=', 'crossAgentMessages.id')
      .where('crossAgentAcks.agentId', '=', agentId),
  )
  return and([
    eb('expiresAt', '>', now),
    ...(since === undefined ? [] : [eb('createdAt', '>=', since)]),
    ...(idRange ? [between('crossAgentMessages.id', idRange.first, idRange.last)] : []),
    ...(project === null ? [] : [eb('project', '=', project)]),
    or([
      isReceived(columns, filter),
      ...(includeBroadcast ? [broadcasts(columns, filter)] : []),
      ...(includeSent && !unreadOnly ? [eb('fromAgentId', '=', agentId)] : []),
    ]),
    ...(unreadOnly ? [not(acknowledged)] : []),
  ])
}

/** Direct messages. One for a session is unread in that session alone. */
function isReceived({ and, eb, or }: Columns, filter: MessageFilter): Expression<SqlBool> {
  const { agentId, sessionKey, unreadOnly } = filter
  const ofAgent = eb('toSessionKey', 'is', null)
  const ofSession = sessionKey === undefined ? [] : [eb('toSessionKey', '=', sessionKey)]
  const isAnySession = sessionKey === undefined && !unreadOnly
  return and([
    eb('broadcast', '=', 0),
    eb('toAgentId', '=', agentId),
    ...(isAnySession ? [] : [or([ofAgent, ...ofSession])]),
  ])
}

function broadcasts({ and, eb }: Columns, { agentId, senders }: MessageFilter) {
  return and([
    eb('broadcast', '=', 1),
    eb('fromAgentId', '!=', agentId),
    ...(senders === undefined
      ? []
      : [senders.length === 0 ? eb('id', 'is', null) : eb('fromAgentId', 'in', senders)]),
  ])
}

/** The time of the first acknowledgement. */
export async function upsertAck(
  db: Db,
  ack: Tables['crossAgentAcks'],
): Promise<{ readonly at: string; readonly isNew: boolean }> {
  const inserted = await tables(db)
    .insertInto('crossAgentAcks')
    .values(ack)
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .executeTakeFirst()
  if (inserted) return { at: inserted.at, isNew: true }
  const { at } = await tables(db)
    .selectFrom('crossAgentAcks')
    .select('at')
    .where('messageId', '=', ack.messageId)
    .where('agentId', '=', ack.agentId)
    .executeTakeFirstOrThrow()
  return { at, isNew: false }
}

export interface Lease {
  readonly id: string
  readonly now: string
  readonly leaseUntil: string
  readonly maxAttempts: number
}

/** Starts an attempt. False if the message is delivered, in delivery, or out of attempts. */
export async function leaseMessage(db: Db, lease: Lease): Promise<boolean> {
  const { id, now, leaseUntil, maxAttempts } = lease
  const { numUpdatedRows } = await tables(db)
    .updateTable('crossAgentMessages')
    .set(({ eb }) => ({
      deliveryState: 'in_flight' as const,
      deliveryAttempts: eb('deliveryAttempts', '+', 1),
      leaseUntil,
    }))
    .where('id', '=', id)
    .where('deliveryAttempts', '<', maxAttempts)
    .where(({ eb, and, or }) =>
      or([
        eb('deliveryState', 'in', ['pending', 'indeterminate', 'failed']),
        and([eb('deliveryState', '=', 'in_flight'), eb('leaseUntil', '<=', now)]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type DeliveryResult = Pick<Message, 'deliveryState' | 'deliveryError' | 'deliveryReceipt'>

/** Only the holder of the lease saves a result. */
export async function saveDelivery(
  db: Db,
  { id, leaseUntil }: Pick<Lease, 'id' | 'leaseUntil'>,
  result: DeliveryResult,
): Promise<void> {
  await tables(db)
    .updateTable('crossAgentMessages')
    .set({ ...result, leaseUntil: null })
    .where('id', '=', id)
    .where('leaseUntil', '=', leaseUntil)
    .execute()
}

/** A daemon that ended during a delivery leaves its result unknown. */
export async function expireLeases(db: Db, now: string): Promise<void> {
  await tables(db)
    .updateTable('crossAgentMessages')
    .set({ deliveryState: 'indeterminate', leaseUntil: null })
    .where('deliveryState', '=', 'in_flight')
    .where('leaseUntil', '<=', now)
    .execute()
}

export async function deleteExpired(db: Db, now: string): Promise<void> {
  await tables(db).deleteFrom('crossAgentMessages').where('expiresAt', '<=', now).execute()
}

/** Deletes what the agent sent and received. Broadcasts of other agents are not deleted. */
export async function deleteAgentRows(db: Db, agentId: string): Promise<void> {
  const own = tables(db)
  await own.deleteFrom('crossAgentAcks').where('agentId', '=', agentId).execute()
  await own
    .deleteFrom('crossAgentMessages')
    .where(({ eb, or }) => or([eb('fromAgentId', '=', agentId), eb('toAgentId', '=', agentId)]))
    .execute()
}

function toRow({ acp, broadcast, ...message }: Message): Row {
  return {
    ...message,
    broadcast: broadcast ? 1 : 0,
    acp: acp === null ? null : JSON.stringify(acp),
  }
}

function toReadMessage(row: Row & { readonly acknowledgedAt: string | null }): ReadMessage {
  const { acp, broadcast, ...message } = row
  return {
    ...message,
    broadcast: broadcast === 1,
    acp: acp === null ? null : JSON.parse(acp),
  }
}
