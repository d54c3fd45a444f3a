import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { neutralizeTexts } from '../../kernel/redaction/neutralize.ts'
import { toBareKey } from '../sessions/index.ts'
import {
  deliveryPaths,
  deliveryStates,
  messageTypes,
  type ReadMessage,
  toDeliveryStatus,
} from './message.ts'

const maxContentLength = 65_536
const maxAcpTimeoutMs = 120_000
const maxMetadata = 20

const agentName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be the name of an agent')
const sessionKey = value.identifier('sessionKey').transform((key) => toBareKey(key))

const acpTarget = z.object({
  baseUrl: z
    .string('acp.baseUrl is required')
    .max(2048)
    .refine(isPlainUrl, 'acp.baseUrl must be an http or https URL without credentials and query')
    .meta({ format: 'uri' })
    .describe('Address of the service; its origin must be in `outbound.allow`.'),
  targetAgentName: z
    .string('acp.targetAgentName is required')
    .trim()
    .regex(/^[\w.-]{1,128}$/, 'acp.targetAgentName must be letters, digits, . _ or -')
    .refine(hasNoSecret, `acp.targetAgentName ${value.secretRule}`),
  timeoutMs: value.integer('acp.timeoutMs', { min: 1_000, max: maxAcpTimeoutMs, default: 10_000 }),
  metadata: z
    .record(
      z.string().regex(/^[\w.-]{1,64}$/),
      z
        .string()
        .regex(/^[^\0]{0,500}$/)
        .refine(hasNoSecret, value.secretRule),
    )
    .refine((fields) => Object.keys(fields).length <= maxMetadata, `at most ${maxMetadata} fields`)
    .default({}),
})

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!(url && ['http:', 'https:'].includes(url.protocol))) return false
  const isPlain = url.username + url.password + url.search + url.hash === ''
  return isPlain && hasNoSecret(text)
}

function hasNoSecret(text: string): boolean {
  return value.identifier('text').safeParse(text).success
}

export const sendBody = z
  .object({
    content: value
      .required('content')
      .refine((text) => text.length <= maxContentLength, {
        error: `content exceeds ${maxContentLength} characters`,
      })
      .describe('Text of at most 65,536 characters. Credentials are redacted.'),
    type: z.enum(messageTypes).default('info'),
    broadcast: value.flag.describe('Sends to every agent that may read the sender.'),
    fromAgentId: agentName.optional().describe('Default: the agent of the call.'),
    fromSessionKey: sessionKey,
    toAgentId: agentName.optional(),
    toSessionKey: sessionKey.describe('An active session, in which alone the message is unread.'),
    project: value.identifier('project').describe('Default: the project of the token.'),
    via: z.enum(deliveryPaths).optional(),
    acp: acpTarget.optional(),
    ...value.ignoredAgent,
  })
  .meta(describeTarget())
  .transform(({ agentId: _, agent_id: __, broadcast = false, ...body }) => ({
    ...body,
    broadcast,
    via: body.via ?? (body.acp ? 'acp' : 'local'),
  }))

/** JSON Schema: a message has one target. */
function describeTarget() {
  const session = { required: ['toSessionKey'], properties: { toSessionKey: { pattern: '\\S' } } }
  return {
    anyOf: [
      { anyOf: [session, { required: ['acp'] }] },
      { required: ['toAgentId'] },
      { required: ['broadcast'], properties: { broadcast: { const: true } } },
    ],
  }
}

const order = z.enum(['asc', 'desc']).default('desc')

export const listQuery = z
  .object({
    ...value.ignoredAgent,
    sessionKey: value.ignored,
    session_key: value.ignored,
    since: value.time('since'),
    id_prefix: value.idPrefix.describe('The first characters of an id, at least six.').optional(),
    includeSent: value.flag,
    include_sent: value.flag,
    includeBroadcast: value.flag,
    include_broadcast: value.flag,
    unreadOnly: value.flag,
    unread_only: value.flag,
    limit: value.integer('limit', { min: 1, max: 500, default: 100 }),
    offset: value.integer('offset', { min: 0, max: 1_000_000, default: 0 }),
    order,
  })
  .transform((query) => ({
    since: query.since,
    idPrefix: query.id_prefix,
    limit: query.limit,
    offset: query.offset,
    order: query.order,
    includeSent: query.includeSent ?? query.include_sent ?? false,
    includeBroadcast: query.includeBroadcast ?? query.include_broadcast ?? true,
    unreadOnly: query.unreadOnly ?? query.unread_only ?? false,
  }))

export const followQuery = z
  .object({
    ...value.ignoredAgent,
    sessionKey: value.ignored,
    session_key: value.ignored,
    project: value.text.describe('Only the presences of this project.'),
  })
  .transform(({ project }) => ({ project }))

export const byId = z.object({
  id: z.string().meta({ 'x-ids': 'GET /api/cross-agent/messages' }),
})
export const agentBody = z.object(value.ignoredAgent)

const nullableText = z.string().nullable()
const message = z.object({
  id: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  fromAgentId: z.string(),
  fromSessionKey: nullableText,
  toAgentId: nullableText,
  toSessionKey: nullableText,
  project: nullableText,
  content: z.string(),
  type: z.enum(messageTypes),
  broadcast: z.boolean(),
  deliveryPath: z.enum(deliveryPaths),
  deliveryStatus: z.enum(['queued', 'delivered', 'failed']),
  deliveryState: z.enum(deliveryStates),
  deliveryAttempts: z.int(),
  deliveryError: nullableText,
  deliveryReceipt: nullableText,
  acknowledgedAt: nullableText,
})

export const sentReply = z.object({ message, redactions: z.int().optional() })
export const messageReply = z.object({ message })
export const inboxReply = z.object({
  items: z.array(message),
  count: z.int(),
  total: z.int(),
  unreadCount: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
})
export const ackReply = z.object({
  messageId: z.string(),
  agentId: z.string(),
  acknowledgedAt: z.string(),
  alreadyAcknowledged: z.boolean(),
})

/** Texts of other agents contain no marks that a model or a terminal obeys. */
export function toMessageReply({
  acp: _,
  leaseUntil: __,
  ...fields
}: ReadMessage): z.input<typeof message> {
  const deliveryStatus = toDeliveryStatus(fields.deliveryState)
  return { ...neutralizeTexts(fields), deliveryStatus }
}
