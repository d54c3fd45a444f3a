import type { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { Refusal } from '../errors/refusal.ts'
import { untilAborted } from '../host/with-timeout.ts'
import { acceptedEncodings, readBody } from './read-body.ts'

/** One request to one origin. */
export interface Call {
  readonly url: URL
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly maxBytes: number
  readonly accept?: readonly string[] | undefined
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

export interface CallReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const redirects = [301, 302, 303, 307, 308]

export function isRedirect({ status, headers }: Omit<CallReply, 'body'>): boolean {
  return redirects.includes(status) && headers['location'] !== undefined
}

/** Rejects with the reason of the signal as soon as it aborts, without waiting for the request. */
export async function call(outgoing: Call): Promise<CallReply> {
  const { signal } = outgoing
  try {
    return await raceAbort(signal, exchange(outgoing))
  } catch (error) {
    throw signal.aborted ? signal.reason : toRefusal(error, outgoing.url.origin)
  }
}

export async function raceAbort<Value extends object>(
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  const value = await untilAborted(signal, work)
  if (value === undefined) throw signal.reason
  return value
}

/** The reply up to its body. The caller destroys the body. */
export interface ReplyHead extends Omit<CallReply, 'body'> {
  readonly body: Readable
  /** The coding to undo; undefined without a body. */
  readonly encoding: string | undefined
}

export async function requestHead(outgoing: Call): Promise<ReplyHead> {
  const { url, method, body = null, dispatcher, signal } = outgoing
  const reply = await request(url, {
    method: method as Dispatcher.HttpMethod,
    body,
    dispatcher,
    signal,
    headers: { ...outgoing.headers, 'accept-encoding': acceptedEncodings },
    // The deadline of the whole call replaces these timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const headers = flatten(reply.headers)
  // The body is always destroyed, which emits an error. This handler ignores it.
  reply.body.on('error', () => {})
  const encoding = method === 'HEAD' ? undefined : headers['content-encoding']
  return { status: reply.statusCode, headers, body: reply.body, encoding }
}

async function exchange(outgoing: Call): Promise<CallReply> {
  const { body, encoding, ...received } = await requestHead(outgoing)
  try {
    if (isRedirect(received)) return { ...received, body: Buffer.alloc(0) }
    checkType(received, outgoing.accept)
    return { ...received, body: await readBody(body, encoding, outgoing.maxBytes) }
  } finally {
    body.destroy()
  }
}

/** Checks successful replies only; an error page may have any type. */
export function checkType(
  { status, headers }: Omit<CallReply, 'body'>,
  accept: readonly string[] | undefined,
): void {
  if (!accept || status >= 300 || status === 204) return
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const [main] = type.split('/')
  if (accept.some((one) => one === type.trim() || one === `${main?.trim()}/*`)) return
  const message = 'The content type of the reply is not accepted.'
  throw new Refusal('unsupported', 'outbound_type', message, { type: type.trim(), accept })
}

function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value = '']) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(', ') : value,
  ])
  return Object.fromEntries(entries)
}

/** Network and server errors become refusals. A request that cannot be sent is a fault. */
export function toRefusal(error: unknown, origin: string): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error
  if (error.cause instanceof Refusal) return error.cause
  if (!('code' in error) || error.code === 'UND_ERR_INVALID_ARG') return error
  const details = { origin, why: String(error.code) }
  const message = `${origin} did not answer. Check the address and the network.`
  return new Refusal('unavailable', 'outbound_unavailable', message, details)
}
