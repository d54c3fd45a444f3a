import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { toBareKey } from '../sessions/index.ts'
import { isAddressee, type MessageReader } from './message.ts'
import type { MessagesNeeds } from './needs.ts'
import { messageNotFound } from './refusals.ts'
import type { listQuery } from './schemas.ts'
import { countMatching, findMessage, listMessages, type MessageFilter, upsertAck } from './store.ts'

/** What the agent of the caller may read, by its read policy at this moment. */
export async function readerOf(
  { agents, db }: Pick<MessagesNeeds, 'agents' | 'db'>,
  caller: Pick<Caller, 'agentId' | 'scope'>,
): Promise<MessageReader> {
  const { agentId, groupAgents, policy, project } = await agents.readScopeOf(db, caller)
  const senders = { isolated: [], shared: undefined, group: groupAgents }[policy]
  return { agentId, senders, project }
}

/** Lists the messages that the agent of the caller may read. */
export async function listInbox(
  needs: MessagesNeeds,
  caller: Caller,
  { limit, offset, order, ...query }: z.output<typeof listQuery>,
) {
  const filter: MessageFilter = {
    ...query,
    ...(await readerOf(needs, caller)),
    now: needs.host.now().toISOString(),
    sessionKey: toBareKey(caller.sessionKey),
  }
  const unread = {
    ...filter,
    since: undefined,
    idPrefix: undefined,
    includeBroadcast: true,
    unreadOnly: true,
  }
  const [items, total, unreadCount] = await Promise.all([
    listMessages(needs.db, filter, { limit, offset, order }),
    countMatching(needs.db, filter),
    countMatching(needs.db, unread),
  ])
  const hasMore = offset + items.length < total
  return { items, count: items.length, total, unreadCount, limit, offset, hasMore }
}

/** Acknowledges a message for the agent of the caller, which must be an addressee. */
export async function acknowledge(needs: MessagesNeeds, caller: Caller, id: string) {
  const { agentId } = caller
  const now = needs.host.now().toISOString()
  const [reader, message] = await Promise.all([
    readerOf(needs, caller),
    findMessage(needs.db, { id, agentId, now }),
  ])
  if (!(message && isAddressee(reader, message))) throw messageNotFound()
  const { at, isNew } = await upsertAck(needs.db, { messageId: id, agentId, at: now })
  return { messageId: id, agentId, acknowledgedAt: at, alreadyAcknowledged: !isNew }
}
