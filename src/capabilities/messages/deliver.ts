import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { readerOf } from './inbox.ts'
import type { AcpTarget, Message, ReadMessage } from './message.ts'
import type { MessagesNeeds } from './needs.ts'
import { messageNotFound, notRetryable, originNotAllowed } from './refusals.ts'
import { type DeliveryResult, findMessage, leaseMessage, saveDelivery } from './store.ts'

const maxAttempts = 3
/** Longer than the longest call, so that no second daemon delivers the same message. */
const leaseMs = 150_000
const maxReplyBytes = 262_144
const maxErrorLength = 300
const maxReceiptLength = 200

/** Makes one attempt to send a message to another service, and returns its new state. */
export async function deliver(needs: MessagesNeeds, message: Message): Promise<Message> {
  const now = needs.host.now().getTime()
  const lease = { id: message.id, leaseUntil: new Date(now + leaseMs).toISOString() }
  const isLeased = await leaseMessage(needs.db, {
    ...lease,
    now: new Date(now).toISOString(),
    maxAttempts,
  })
  if (!isLeased || !message.acp) throw notRetryable('its delivery is complete or under way')
  const result = await post(needs, message.content, message.acp)
  await saveDelivery(needs.db, lease, result)
  return { ...message, ...result, deliveryAttempts: message.deliveryAttempts + 1 }
}

/** Sends a message again. Only its author may. */
export async function retryMessage(
  needs: MessagesNeeds,
  caller: Caller,
  id: string,
): Promise<ReadMessage> {
  const { agentId } = caller
  const { project } = await readerOf(needs, caller)
  const message = await findMessage(needs.db, { id, agentId, now: needs.host.now().toISOString() })
  if (message?.fromAgentId !== agentId || (project !== null && message.project !== project))
    throw messageNotFound()
  assertRetryable(message)
  const { origin } = new URL(message.acp?.baseUrl ?? 'http://none')
  if (!needs.allowedOrigins().includes(origin)) throw originNotAllowed(origin)
  return { ...message, ...(await deliver(needs, message)) }
}

function assertRetryable({ deliveryAttempts, deliveryPath, deliveryState }: Message): void {
  if (deliveryPath === 'local') throw notRetryable('it is a local message')
  if (deliveryState === 'delivered') throw notRetryable('it is delivered')
  if (deliveryAttempts >= maxAttempts)
    throw notRetryable(`${maxAttempts} attempts were made. Send a new message`)
}

async function post(
  { outbound }: Pick<MessagesNeeds, 'outbound'>,
  content: string,
  { baseUrl, metadata, targetAgentName, timeoutMs }: AcpTarget,
): Promise<DeliveryResult> {
  const parts = [{ content_type: 'text/plain', content }]
  const run = { agent_name: targetAgentName, input: [{ role: 'user', parts }], mode: 'async' }
  const hasMetadata = Object.keys(metadata).length > 0
  try {
    const { status, body } = await outbound.fetch(`${baseUrl.replace(/\/+$/, '')}/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...run, ...(hasMetadata && { metadata }) }),
      maxBytes: maxReplyBytes,
      timeoutMs,
    })
    if (status >= 200 && status < 300)
      return {
        deliveryState: 'delivered',
        deliveryError: null,
        deliveryReceipt: findRunId(body.toString('utf8')),
      }
    return toFailure('failed', `The service replied with status ${status}.`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return toFailure(wasNotSent(error) ? 'failed' : 'indeterminate', error.message)
  }
}

const connectionErrors = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']
const unsentCodes = ['outbound_address', 'outbound_scheme']

/** Without a connection no service has the message. Any later failure leaves the outcome open. */
function wasNotSent({ code, details }: Refusal): boolean {
  return unsentCodes.includes(code) || connectionErrors.includes(String(details['why']))
}

function toFailure(
  deliveryState: 'failed' | 'indeterminate',
  deliveryError: string,
): DeliveryResult {
  const error = deliveryError.slice(0, maxErrorLength)
  return { deliveryState, deliveryError: error, deliveryReceipt: null }
}

function findRunId(reply: string): string | null {
  try {
    const { run_id: id }: { readonly run_id?: unknown } = Object(JSON.parse(reply))
    if (typeof id !== 'string') return null
    return sliceText(redactStrictly(id).text, 0, maxReceiptLength)
  } catch {
    return null
  }
}
