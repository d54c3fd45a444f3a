import { Agent } from 'undici'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import {
  assertAllowedAddress,
  guardLookup,
  type Lookup,
  systemLookup,
  toNodeLookup,
} from './address.ts'
import { createBreakers, type WithBreaker } from './breakers.ts'
import { type Call, type CallReply, call, isRedirect, raceAbort } from './call.ts'
import type { OutboundConfig } from './config.ts'

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
  /** Closes all connections. */
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
  readonly guarded: Agent
  readonly open: Agent
  readonly allow: readonly string[]
  readonly breakers: WithBreaker
}

const maxRedirects = 5
const connectTimeoutMs = 10_000
const connectionsPerOrigin = 16
/** Upper bound of the keep-alive time that a server offers. */
const maxIdleMs = 10_000
/** Headers without secrets, which a redirect may send to another origin. */
const crossOriginHeaders = ['accept', 'accept-language', 'content-type', 'user-agent']
const managedHeaders = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
]

export function createOutbound({ host, config, lookup = systemLookup }: OutboundOptions): Outbound {
  const dispatchers = {
    guarded: createAgent(guardLookup(lookup)),
    open: createAgent(toNodeLookup(lookup)),
    breakers: createBreakers(),
  }
  return {
    fetch: async (url, request = {}) => {
      const { allow, ...defaults } = config()
      const { timeoutMs = defaults.timeoutMs, maxBytes = defaults.maxBytes } = request
      const ended = new AbortController()
      const deadline = new AbortController()
      void host.sleep(timeoutMs, ended.signal).then(() => deadline.abort(timeout(timeoutMs)))
      const signal = AbortSignal.any([deadline.signal, ...(request.signal ? [request.signal] : [])])
      try {
        return await follow(
          { ...dispatchers, allow },
          firstCall(url, { ...request, maxBytes, signal }),
        )
      } finally {
        ended.abort()
      }
    },
    close: async () => {
      await Promise.all([dispatchers.guarded.destroy(), dispatchers.open.destroy()])
    },
  }
}

function createAgent(lookup: ReturnType<typeof toNodeLookup>): Agent {
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
  const requestHeaders = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !managedHeaders.includes(name))
  return {
    url,
    method: method.toUpperCase(),
    body,
    maxBytes,
    accept,
    signal,
    headers: {
      ...(accept && { accept: accept.join(', ') }),
      ...Object.fromEntries(requestHeaders),
    },
  }
}

async function follow(ways: Dispatchers, first: Step): Promise<OutboundReply> {
  const seen = new Set<string>()
  let step = first
  let trusted = ways.allow.includes(first.url.origin)
  for (;;) {
    const reply = await send(ways, step, trusted)
    if (!isRedirect(reply)) return { ...reply, url: step.url.href }
    seen.add(`${step.method} ${step.url.href}`)
    step = nextStep(step, reply)
    if (seen.size > maxRedirects || seen.has(`${step.method} ${step.url.href}`))
      throw redirectRefusal('It is a loop or exceeds the maximum.')
    // A public page must not redirect to an address that only the owner's settings allow.
    trusted = trusted && ways.allow.includes(step.url.origin)
  }
}

async function send(
  { open, guarded, breakers }: Dispatchers,
  step: Step,
  trusted: boolean,
): Promise<CallReply> {
  assertAllowedAddress(step.url, trusted)
  const outgoing = { ...step, dispatcher: trusted ? open : guarded }
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
  const headerEntries = Object.entries(step.headers).filter(
    ([name]) => stays || crossOriginHeaders.includes(name),
  )
  const next = { ...step, url, headers: Object.fromEntries(headerEntries) }
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
