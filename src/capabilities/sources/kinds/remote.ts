import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { RateLimited, type SyncContext } from './kind.ts'

type Request = NonNullable<Parameters<Outbound['fetch']>[1]>
export type RemoteReply = Awaited<ReturnType<Outbound['fetch']>>

export interface RemoteNeeds {
  readonly host: Host
  readonly outbound: Pick<Outbound, 'fetch'>
}

export interface RemoteRequest extends Omit<Request, 'signal'> {
  /** The wait for a limit that the status does not show. */
  readonly waitMsOf?: (reply: RemoteReply, now: Date) => number | undefined
}

type RunPart = Pick<SyncContext, 'signal' | 'assertActive' | 'report'>

const userAgent = 'Svc/1.0 (source-sync)'
const maxAttempts = 4
const baseDelayMs = 1_000
const maxDelayMs = 60_000
/** A longer wait pauses the run, so that other sources are read meanwhile. */
const maxWaitMs = 30_000
const transientStatuses = new Set([408, 429, 500, 502, 503, 504, 529])
const transientRefusals = new Set(['outbound_unavailable', 'outbound_timeout'])

interface Attempt {
  readonly reply?: RemoteReply
  readonly error?: unknown
  /** How long the other side asks to wait. */
  readonly limitMs?: number | undefined
}

/**
 * Sends a request, and repeats it after transient failures. Returns the last reply, of any status.
 * @throws {RateLimited} for a limit of more than 30 seconds
 */
export async function sendToRemote(
  { host, outbound }: RemoteNeeds,
  run: RunPart,
  { url, ...request }: RemoteRequest & { readonly url: string },
): Promise<RemoteReply> {
  for (let attempt = 1; ; attempt++) {
    const result = await sendOnce({ host, outbound }, run, { url, ...request })
    if (isDone(result)) return result.reply
    const { limitMs } = result
    const waitMs = limitMs ?? delayMsOf(attempt, host)
    const isLast = attempt >= maxAttempts
    if (limitMs !== undefined && (isLast || limitMs > maxWaitMs))
      throw new RateLimited(new URL(url).host, new Date(host.now().getTime() + limitMs))
    if (isLast) return lastReply(result)
    run.report({ statusMessage: `Waits ${Math.ceil(waitMs / 1_000)} s for ${new URL(url).host}.` })
    await host.sleep(waitMs, run.signal)
    run.assertActive()
  }
}

function isDone(attempt: Attempt): attempt is Attempt & { readonly reply: RemoteReply } {
  const { reply, limitMs } = attempt
  return reply !== undefined && limitMs === undefined && !transientStatuses.has(reply.status)
}

function lastReply({ reply, error }: Attempt): RemoteReply {
  if (reply) return reply
  throw error
}

async function sendOnce(
  { host, outbound }: RemoteNeeds,
  { signal, assertActive }: RunPart,
  { url, waitMsOf, headers, ...request }: RemoteRequest & { readonly url: string },
): Promise<Attempt> {
  assertActive()
  try {
    const all = { 'user-agent': userAgent, ...headers }
    const reply = await outbound.fetch(url, { ...request, headers: all, signal })
    const now = host.now()
    const limitMs =
      waitMsOf?.(reply, now) ?? (reply.status === 429 ? readRetryAfter(reply, now) : undefined)
    return { reply, limitMs }
  } catch (error) {
    assertActive()
    if (error instanceof Refusal && transientRefusals.has(error.code)) return { error }
    throw error
  }
}

function delayMsOf(attempt: number, { random }: Pick<Host, 'random'>): number {
  const delayMs = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
  return delayMs * (0.75 + random() / 2)
}

/** `retry-after` in seconds or as a date; undefined without a valid one. */
export function readRetryAfter(
  { headers }: Pick<RemoteReply, 'headers'>,
  now: Date,
): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - now.getTime()
  return Number.isFinite(ms) ? Math.min(86_400_000, Math.max(0, ms)) : undefined
}
