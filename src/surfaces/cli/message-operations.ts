import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Row, toRows } from './render.ts'
import { toLocalTime } from './times.ts'

const ownSession = 'show messages for this session of the agent too'

/** The commands about messages between agents that send one request. */
export const messageOperations: readonly Operation[] = [
  {
    command: 'message send',
    route: 'POST /api/cross-agent/messages',
    summary: 'Send a message to an agent, a session, or all agents that may read the sender',
    examples: [
      'reverie message send "The release is on Friday." --to ada',
      'reverie message send "The build is broken." --broadcast',
    ],
    arguments: ['content'],
    options: {
      toAgentId: 'to',
      toSessionKey: 'session',
      fromAgentId: null,
      fromSessionKey: null,
      via: null,
    },
    descriptions: {
      broadcast: 'send to all agents that may read the sender',
      toAgentId: 'the agent that receives the message',
      type: 'what the message is',
      acp: 'a service outside as JSON: {baseUrl, targetAgentName}',
    },
    after: 'sessions bypass',
    render: ({ message }) => renderSent(Object(message)),
  },
  {
    command: 'message inbox',
    route: 'GET /api/cross-agent/messages',
    summary: 'List the messages of the agent, the newest first',
    examples: ['reverie message inbox --agent ada', 'reverie message inbox --unread'],
    options: {
      sessionKey: 'session',
      includeSent: 'sent',
      id_prefix: null,
      includeBroadcast: null,
      unreadOnly: 'unread',
      order: null,
    },
    descriptions: {
      sessionKey: ownSession,
      includeSent: 'also messages that the agent sent',
      unreadOnly: 'only messages without acknowledgement',
    },
    list: 'items',
    render: ({ items }) => toRows(items).map(renderMessage).join('\n\n') || 'There is no message.',
  },
  {
    command: 'message ack',
    route: 'POST /api/cross-agent/messages/:id/ack',
    summary: 'Mark a message as read',
    examples: ['reverie message ack 0195f3a0'],
    listedBy: 'reverie message inbox',
    render: ({ messageId, alreadyAcknowledged }) =>
      `${colors.green('✓')} ${alreadyAcknowledged ? 'Already marked' : 'Marked'} as read\n  ${colors.dim(String(messageId))}`,
  },
  {
    command: 'message retry',
    route: 'POST /api/cross-agent/messages/:id/retry',
    summary: 'Deliver a message to its service again',
    examples: ['reverie message retry 0195f3a0'],
    listedBy: 'reverie message inbox --sent',
    lookup: { include_sent: true },
    render: ({ message }) => renderSent(Object(message)),
  },
]

function renderSent({ id, deliveryError, deliveryState }: Row): string {
  const mark = deliveryState === 'delivered' ? colors.green('✓') : colors.yellow('!')
  const why = deliveryError ? `: ${toLine(String(deliveryError))}` : ''
  return `${mark} ${String(deliveryState).replace('_', ' ')}${why}\n  ${colors.dim(String(id))}`
}

export function renderMessage(message: Row): string {
  const { id, broadcast, content, createdAt, fromAgentId, toAgentId, type } = message
  const to = broadcast ? 'all' : toLine(String(toAgentId ?? 'a service'), 64)
  const at = toLocalTime(String(createdAt))
  const head = `${colors.dim(at)} ${toLine(String(fromAgentId), 64)} → ${to} · ${type}`
  const state = message['acknowledgedAt'] === null ? '' : colors.dim(' · read')
  return `${head}${state}\n${neutralize(String(content))}\n${colors.dim(String(id))}`
}
