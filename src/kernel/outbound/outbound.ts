import { Agent } from 'undici'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import {
  assertAllowedAddress,
  guardLookup,
  isLoopback,
  type Lookup,
  systemLookup,
  type Trust,
} from './address.ts'
import { createBreakers, type WithBreaker } from './breakers.ts'
import { type Call, type CallReply, call, isRedirect, raceAbort } from './call.ts'
import type { OutboundConfig } from './config.ts'
import { omitManaged, pickHarmless } from './headers.ts'
import { type OpenReply, openReply } from './open.ts'
import { type OutboundSocket, openSocket, type SocketRequest } from './socket.ts'

interface OutboundRequest {
  /** Default `GET`. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Maximum size of the decoded body. */
  readonly maxBytes?: number
  /** Deadline of the whole call: name lookup, connections, redirects and body. */
  readonly timeoutMs?: number
  /** Accepted content types of a successful reply, in lower case: `application/json`, `text/*`. */
  readonly accept?: readonly string[]
  readonly signal?: AbortSignal
}

export interface OpenRequest extends OutboundRequest {
  /** Maximum silence within the body. No limit but `timeoutMs` if absent. */
  readonly idleMs?: number
  /** Trusts this origin for this call if it is a loopback address or `localhost`. */
  readonly loopbackOrigin?: string
}

export type ConnectRequest = Pick<SocketRequest, 'onText' | 'signal'> & {
  /** Maximum size of a message. */
  readonly maxBytes?: number
}

interface OutboundReply extends CallReply {
  /** The URL after the last redirect. */
  readonly url: string
}

export interface Outbound {
  /**
   * Returns replies of any status. Refuses `outbound_scheme`, `outbound_address`,
   * `outbound_too_large`, `outbound_timeout`, `outbound_type`, `outbound_redirects` and
   * `outbound_unavailable`. Rejects with the reason of the signal when it aborts.
   */
  fetch(url: string, request?: OutboundRequest): Promise<OutboundReply>
  /**
   * Streams the unpacked body. Refuses as `fetch` does, and every redirect. No circuit breaker is
   * used. Iteration throws `outbound_too_large`, `outbound_timeout`, `outbound_unavailable` or the
   * reason of the signal. The connection closes when the iteration ends, or after `timeoutMs`.
   */
  open(url: string, request?: OpenRequest): Promise<OpenReply>
  /**
   * Opens a WebSocket (`ws:` or `wss:`) under the rules of `open`; `outbound.allow` names its http or
   * https origin. It ends with the signal.
   */
  connect(url: string, request: ConnectRequest): Promise<OutboundSocket>
  /** Closes all connections but WebSockets, which end with their signals. */
  close(): Promise<void>
}

export interface OutboundOptions {
  readonly host: Host
  /** Read at the start of each call. */
  config(): OutboundConfig
  /** Default: the system resolver. */
  readonly lookup?: Lookup
}

interface Dispatchers {
  readonly agents: Readonly<Record<Trust, Agent>>
  readonly allow: readonly string[]
  readonly breakers: WithBreaker
}

const maxRedirects = 5
const connectTimeoutMs = 10_000
const connectionsPerOrigin = 16
/** Upper bound of the keep-alive time that a server offers. */
const maxIdleMs = 10_000

export function createOutbound({ host, config, lookup = systemLookup }: OutboundOptions): Outbound {
  const lookups = {
    none: guardLookup(lookup, 'none'),
    loopback: guardLookup(lookup, 'loopback'),
    owner: guardLookup(lookup, 'owner'),
  }
  const agents = {
    none: createAgent(lookups.none),
    loopback: createAgent(lookups.loopback),
    owner: createAgent(lookups.owner),
  }
  const breakers = createBreakers()
  return {
    fetch: async (url, request = {}) => {
      const { allow, ...defaults } = config()
      const { timeoutMs = defaults.timeoutMs, maxBytes = defaults.maxBytes } = request
      const { signal, end } = startDeadline(host, timeoutMs, request.signal)
      try {
        const first = firstCall(url, { ...request, maxBytes, signal })
        return await follow({ agents, breakers, allow }, first)
      } finally {
        end()
      }
    },
    open: async (url, request = {}) => {
      const { allow, ...defaults } = config()
      const { timeoutMs = defaults.timeoutMs, maxBytes = defaults.maxBytes, idleMs } = request
      const { signal, end } = startDeadline(host, timeoutMs, request.signal)
      try {
        const step = firstCall(url, { ...request, maxBytes, signal })
        const trust = toTrust(step.url, allow, request.loopbackOrigin)
        assertAllowedAddress(step.url, trust)
        return await openReply({ ...step, dispatcher: agents[trust] }, { host, idleMs, end })
      } catch (error) {
        end()
        throw error
      }
    },
    connect: async (text, request) => {
      const { allow, maxBytes } = config()
      const url = toHttp(text)
      const trust = toTrust(url, allow, undefined)
      assertAllowedAddress(url, trust)
      return openSocket({ connectTimeoutMs, maxBytes, ...request, url, lookup: lookups[trust] })
    },
    close: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

/** The address to which the handshake of a WebSocket goes. Other schemes become invalid. */
function toHttp(text: string): URL {
  const [scheme = '', rest = ''] = text.split(/:(.*)/s)
  const url = URL.parse(`${{ ws: 'http', wss: 'https' }[scheme.toLowerCase()] ?? 'x'}:${rest}`)
  if (!url) throw new Refusal('invalid', 'outbound_scheme', 'Invalid URL.')
  return url
}

function toTrust(url: URL, allow: readonly string[], loopbackOrigin: string | undefined): Trust {
  if (allow.includes(url.origin)) return 'owner'
  return url.origin === loopbackOrigin && isLoopback(url) ? 'loopback' : 'none'
}

/** Aborts after the time limit, or with the signal of the caller. `end` frees the timer. */
function startDeadline(host: Host, timeoutMs: number, signal?: AbortSignal) {
  const ended = new AbortController()
  const deadline = new AbortController()
  void host.sleep(timeoutMs, ended.signal).then(() => {
    if (!ended.signal.aborted) deadline.abort(timeout(timeoutMs))
  })
  const signals = [deadline.signal, ...(signal ? [signal] : [])]
  return { signal: AbortSignal.any(signals), end: () => ended.abort() }
}

function createAgent(lookup: ReturnType<typeof guardLookup>): Agent {
  return new Agent({
    connect: { lookup, timeout: connectTimeoutMs },
    connections: connectionsPerOrigin,
    keepAliveMaxTimeout: maxIdleMs,
  })
}

type Step = Omit<Call, 'dispatcher'>

function firstCall(
  text: string,
  request: OutboundRequest & { readonly maxBytes: number; readonly signal: AbortSignal },
): Step {
  const url = URL.parse(text)
  if (!url) throw new Refusal('invalid', 'outbound_scheme', 'Invalid URL.')
  const { method = 'GET', headers = {}, body, maxBytes, accept, signal } = request
  return {
    url,
    method: method.toUpperCase(),
    body,
    maxBytes,
    accept,
    signal,
    headers: {
      ...(accept && { accept: accept.join(', ') }),
      ...omitManaged(headers),
    },
  }
}

async function follow(ways: Dispatchers, first: Step): Promise<OutboundReply> {
  const visitedUrls = new Set<string>()
  let step = first
  let trusted = ways.allow.includes(first.url.origin)
  for (;;) {
    const reply = await send(ways, step, trusted)
    if (!isRedirect(reply)) return { ...reply, url: step.url.href }
    visitedUrls.add(`${step.method} ${step.url.href}`)
    step = nextStep(step, reply)
    if (visitedUrls.size > maxRedirects || visitedUrls.has(`${step.method} ${step.url.href}`))
      throw redirectRefusal('It is a loop or exceeds the maximum.')
    // A public page must not redirect to an address that only the owner's settings allow.
    trusted = trusted && ways.allow.includes(step.url.origin)
  }
}

async function send(
  { agents, breakers }: Dispatchers,
  step: Step,
  trusted: boolean,
): Promise<CallReply> {
  const trust = trusted ? 'owner' : 'none'
  assertAllowedAddress(step.url, trust)
  const outgoing = { ...step, dispatcher: agents[trust] }
  // A half-open breaker lets one call through and makes the others wait for it.
  return await raceAbort(
    step.signal,
    breakers(step.url.origin, () => call(outgoing)),
  )
}

function nextStep(step: Step, { status, headers }: CallReply): Step {
  const url = URL.parse(headers['location'] ?? '', step.url.href)
  if (!url) throw redirectRefusal('Its location is an invalid URL.')
  url.hash = ''
  const stays = url.origin === step.url.origin
  const next = { ...step, url, headers: stays ? step.headers : pickHarmless(step.headers) }
  const becomesGet =
    status === 303 ? step.method !== 'HEAD' : status < 303 && step.method === 'POST'
  if (!becomesGet) return next
  const { 'content-type': _, ...others } = next.headers
  return { ...next, method: 'GET', body: undefined, headers: others }
}

function redirectRefusal(why: string): Refusal {
  return new Refusal('unavailable', 'outbound_redirects', `The redirect is not followed. ${why}`)
}

function timeout(timeoutMs: number): Refusal {
  const message = `There was no whole reply within ${timeoutMs} ms.`
  return new Refusal('unavailable', 'outbound_timeout', message, { timeoutMs })
}
