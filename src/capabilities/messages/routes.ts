import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { readLastEventId, toServerSentEvents } from '../../kernel/http/stream.ts'
import { retryMessage } from './deliver.ts'
import { followMessages, type MessageFeed } from './follow-messages.ts'
import { acknowledge, listInbox } from './inbox.ts'
import type { MessagesNeeds } from './needs.ts'
import * as wire from './schemas.ts'
import { sendMessage } from './send.ts'

export function messagesRoutes(
  needs: MessagesNeeds & { readonly feed: MessageFeed },
): readonly Route[] {
  return [
    route({
      name: 'messages.follow',
      method: 'GET',
      path: '/api/cross-agent/stream',
      permission: 'recall',
      isSubscription: true,
      summary: 'Stream messages and presences that an agent may read, as server-sent events.',
      query: wire.followQuery,
      handle: async ({ caller, headers, query, signal }) => {
        const lastId = readLastEventId(headers)
        const { project } = query
        return toServerSentEvents(followMessages(needs, caller, { lastId, project, signal }))
      },
    }),
    route({
      name: 'messages.list',
      method: 'GET',
      path: '/api/cross-agent/messages',
      permission: 'recall',
      summary: 'List the messages that an agent may read, the newest first.',
      query: wire.listQuery,
      reply: wire.inboxReply,
      handle: async ({ caller, query }) => {
        const inbox = await listInbox(needs, caller, query)
        return { ...inbox, items: inbox.items.map(wire.toMessageReply) }
      },
    }),
    route({
      name: 'messages.send',
      method: 'POST',
      path: '/api/cross-agent/messages',
      permission: 'remember',
      summary: 'Send a message to an agent, a session, or all agents that may read the sender.',
      body: wire.sendBody,
      reply: wire.sentReply,
      handle: async ({ caller, body }) => {
        const { message, redactions } = await sendMessage(needs, caller, body)
        const redactionCount = redactions > 0 && { redactions }
        return new Reply(200, { message: wire.toMessageReply(message), ...redactionCount })
      },
    }),
    route({
      name: 'messages.acknowledge',
      method: 'POST',
      path: '/api/cross-agent/messages/:id/ack',
      permission: 'remember',
      summary: 'Mark a message as read by the agent.',
      params: wire.byId,
      body: wire.agentBody,
      reply: wire.ackReply,
      handle: ({ caller, params }) => acknowledge(needs, caller, params.id),
    }),
    route({
      name: 'messages.retry',
      method: 'POST',
      path: '/api/cross-agent/messages/:id/retry',
      permission: 'remember',
      summary: 'Deliver a message to its service again, at most three times.',
      params: wire.byId,
      body: wire.agentBody,
      reply: wire.messageReply,
      handle: async ({ caller, params }) => ({
        message: wire.toMessageReply(await retryMessage(needs, caller, params.id)),
      }),
    }),
  ]
}
