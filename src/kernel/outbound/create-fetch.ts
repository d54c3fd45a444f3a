import { Refusal } from '../errors/refusal.ts'
import { pickHarmless } from './headers.ts'
import type { OpenReply } from './open.ts'
import type { OpenRequest, Outbound } from './outbound.ts'

interface FetchOptions extends Pick<OpenRequest, 'maxBytes' | 'timeoutMs' | 'idleMs'> {
  readonly outbound: Pick<Outbound, 'open'>
  /** Receives credentials. Other origins receive harmless headers only. */
  readonly origin: string
  /** Trusts `origin` if it is a loopback address or `localhost`. */
  readonly allowLoopback?: boolean
}

/** Describe the packed body; the reply has the unpacked one. */
const packingHeaders = ['content-encoding', 'content-length', 'transfer-encoding']
const emptyStatuses = [204, 205, 304]
const latin1 = /^[\t -~\u0080-\u00ff]*$/

/**
 * A standard `fetch` over `open`, for client libraries. Redirects are refused. Rejects with a
 * `Refusal` in place of a `TypeError`, or with the reason of the signal.
 */
export function createFetch(options: FetchOptions): typeof fetch {
  const { outbound, origin, allowLoopback = false, maxBytes, timeoutMs, idleMs } = options
  const limits = {
    ...(maxBytes !== undefined && { maxBytes }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(idleMs !== undefined && { idleMs }),
    ...(allowLoopback && { loopbackOrigin: origin }),
  }
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const request = await toRequest(input, init)
    const isOwn = URL.parse(url)?.origin === origin
    const headers = isOwn ? request.headers : pickHarmless(request.headers)
    return toResponse(
      await outbound.open(url, { ...request, ...limits, ...(signal && { signal }), headers }),
    )
  }
}

/** The URL is left out: `open` checks it, and `Request` would throw another error. */
async function toRequest(input: string | URL | Request, init: RequestInit | undefined) {
  const base = input instanceof Request ? input : 'http://request.invalid/'
  const streams = init?.body instanceof ReadableStream
  const request = new Request(base, { ...init, ...(streams && { duplex: 'half' }), signal: null })
  const { method, headers } = request
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return { method, headers: Object.fromEntries(headers), ...(body && { body }) }
}

function toResponse({ url, status, headers, body }: OpenReply): Response {
  const isEmpty = emptyStatuses.includes(status)
  if (status < 200 || status > 599) throw invalidStatus(url, status)
  const readable = Object.entries(headers).filter(
    ([name, value]) => !packingHeaders.includes(name) && latin1.test(value),
  )
  const stream = ReadableStream.from(body)
  if (isEmpty) void stream.cancel()
  const response = new Response(isEmpty ? null : stream, { status, headers: readable })
  return Object.defineProperty(response, 'url', { value: url })
}

function invalidStatus(url: string, status: number): Refusal {
  const details = { origin: new URL(url).origin, status }
  const message = 'The status of the reply is invalid.'
  return new Refusal('unavailable', 'outbound_unavailable', message, details)
}
