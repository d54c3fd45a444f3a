import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, outOfScope } from '../../kernel/auth/permission.ts'
import { invalidRequest } from '../../kernel/errors/refusal.ts'
import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { redactContent } from '../../kernel/redaction/redact-content.ts'
import { deliver } from './deliver.ts'
import { messageSent } from './events.ts'
import { readerOf } from './inbox.ts'
import type { Message } from './message.ts'
import type { MessagesNeeds } from './needs.ts'
import { originNotAllowed, sessionNotActive, storeFull } from './refusals.ts'
import type { sendBody } from './schemas.ts'
import { countMessages, insertMessage } from './store.ts'

type SendRequest = z.output<typeof sendBody>

export const maxMessages = 10_000
const retentionMs = 7 * 86_400_000

/** Stores a message for its addressee; a message for another service is also delivered. */
export async function sendMessage(needs: MessagesNeeds, sender: Caller, request: SendRequest) {
  const caller = actAs(sender, request.fromAgentId)
  const target = await resolveTarget(needs, caller, request)
  const { text, redactions } = redactText(needs, request.content)
  const message = await createMessage(needs, caller, {
    ...request,
    ...target,
    content: text,
  })
  const { now } = times(needs)
  if ((await countMessages(needs.db, now)) >= maxMessages) throw storeFull(maxMessages)
  await insertMessage(needs.db, message)
  needs.events.emit(messageSent, toSent(message))
  const sentMessage = message.deliveryPath === 'acp' ? await deliver(needs, message) : message
  return { message: { ...sentMessage, acknowledgedAt: null }, redactions }
}

function toSent({ id, fromAgentId, toAgentId, toSessionKey, broadcast, project, type }: Message) {
  return { id, fromAgentId, toAgentId, toSessionKey, broadcast, project, type }
}

/** The author is the explicit agent of the call. A token with an agent sends as this agent only. */
function actAs(caller: Caller, fromAgentId: string | undefined): Caller {
  const { agent } = caller.scope
  if (fromAgentId === undefined || fromAgentId === caller.agentId) return caller
  if (agent !== undefined) throw outOfScope('agent', agent)
  return { ...caller, agentId: fromAgentId }
}

/** Stored texts contain no credentials. `hygiene.secrets: block` refuses them here too. */
function redactText({ secretPolicy }: Pick<MessagesNeeds, 'secretPolicy'>, content: string) {
  const open = redactContent(content, secretPolicy())
  const strict = redactStrictly(open.value)
  if (strict.text.trim() === '') throw invalidRequest('content is required')
  return { text: strict.text.toWellFormed(), redactions: open.redactions + strict.redactions }
}

type Target = Pick<Message, 'toAgentId' | 'toSessionKey'>

async function resolveTarget(
  needs: MessagesNeeds,
  caller: Caller,
  { acp, broadcast, toAgentId, toSessionKey, via }: SendRequest,
): Promise<Target> {
  assertOneTarget({ acp, broadcast, toAgentId, toSessionKey, via })
  if (acp && !needs.allowedOrigins().includes(new URL(acp.baseUrl).origin))
    throw originNotAllowed(new URL(acp.baseUrl).origin)
  if (toSessionKey === undefined) return { toAgentId: toAgentId ?? null, toSessionKey: null }
  const agentIds = toAgentId === undefined ? (await readerOf(needs, caller)).senders : [toAgentId]
  const active = await needs.sessions.listActive(toSessionKey, agentIds)
  const { project } = caller.scope
  const reachable = active.filter((each) => project === undefined || each.project === project)
  const [only, ...others] = reachable
  if (!only || others.length > 0) throw sessionNotActive(toSessionKey)
  return { toAgentId: only.agentId, toSessionKey }
}

function assertOneTarget(
  request: Pick<SendRequest, 'acp' | 'broadcast' | 'toAgentId' | 'toSessionKey' | 'via'>,
) {
  const { acp, broadcast, toAgentId, toSessionKey, via } = request
  const isDirect = toAgentId !== undefined || toSessionKey !== undefined
  if (broadcast && (isDirect || via === 'acp'))
    throw invalidRequest('broadcast has no target: leave out toAgentId, toSessionKey and acp')
  if (via === 'acp' && !acp)
    throw invalidRequest('acp.baseUrl and acp.targetAgentName are required')
  if (via === 'local' && acp) throw invalidRequest('acp is for messages via acp only')
  if (!(broadcast || isDirect || acp))
    throw invalidRequest('toAgentId, toSessionKey or broadcast is required')
}

function times({ host }: Pick<MessagesNeeds, 'host'>) {
  const now = host.now().getTime()
  return {
    now: new Date(now).toISOString(),
    expiresAt: new Date(now + retentionMs).toISOString(),
  }
}

async function createMessage(
  needs: MessagesNeeds,
  caller: Caller,
  fields: Omit<SendRequest, keyof Target> & Target,
): Promise<Message> {
  const { acp, broadcast, content, fromSessionKey, toAgentId, toSessionKey, type, via } = fields
  const project = fields.project ?? caller.scope.project ?? null
  assertInProject(caller, project)
  await needs.sessions.assertInScope(caller, fromSessionKey ?? '')
  const { now, expiresAt } = times(needs)
  return {
    id: needs.host.newId(),
    createdAt: now,
    expiresAt,
    fromAgentId: caller.agentId,
    fromSessionKey: fromSessionKey ?? null,
    toAgentId,
    toSessionKey,
    project,
    content,
    type,
    broadcast,
    deliveryPath: via,
    deliveryState: via === 'acp' ? 'pending' : 'delivered',
    deliveryAttempts: 0,
    deliveryError: null,
    deliveryReceipt: null,
    leaseUntil: null,
    acp: acp ?? null,
  }
}
