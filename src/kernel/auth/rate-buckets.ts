import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'

/** Maximum calls of one subject in a window. Local mode has no limits. */
const defaultLimits = {
  forget: 30,
  modify: 60,
  batchForget: 5,
  forceDelete: 3,
  admin: 10,
  login: 5,
  recallLlm: 60,
  inferenceExplain: 120,
  inferenceExecute: 20,
  inferenceGateway: 30,
} as const
const defaultWindowMs = 60_000
/** With more windows than this, the oldest are evicted. */
const maxWindows = 10_000

export type RateBucket = keyof typeof defaultLimits
export type RateLimits = {
  readonly [Bucket in RateBucket]?:
    | { readonly windowMs?: number | undefined; readonly max?: number | undefined }
    | undefined
}

/** Counts one call in each bucket, or refuses it and counts it in none. */
export type CountCall = (subject: string, buckets: readonly RateBucket[]) => void

interface Window {
  readonly endsAt: number
  calls: number
}

export function createRateLimits(host: Pick<Host, 'now'>, limits: RateLimits = {}): CountCall {
  const windows = new Map<string, Window>()

  const open = (subject: string, bucket: RateBucket, now: number): Window => {
    const key = `${subject}:${bucket}`
    const current = windows.get(key)
    if (current && now < current.endsAt) return current
    windows.delete(key)
    const [oldest] = windows.keys()
    if (oldest !== undefined && windows.size >= maxWindows) windows.delete(oldest)
    const newWindow = { endsAt: now + (limits[bucket]?.windowMs ?? defaultWindowMs), calls: 0 }
    windows.set(key, newWindow)
    return newWindow
  }

  return (subject, buckets) => {
    const now = host.now().getTime()
    const currentWindows = buckets.map((bucket) => {
      const window = open(subject, bucket, now)
      if (window.calls >= (limits[bucket]?.max ?? defaultLimits[bucket]))
        throw rateLimitRefusal(window.endsAt)
      return window
    })
    for (const window of currentWindows) window.calls += 1
  }
}

/** `retryAfter` is the end of the window in epoch milliseconds. */
function rateLimitRefusal(retryAfter: number): Refusal {
  return new Refusal('too_many', 'rate_limited', 'rate limit exceeded', { retryAfter })
}

/** The address of an IPv4 peer, or the /64 network of an IPv6 peer, of which one person has many. */
export function toNetwork(peer: string): string {
  if (!peer.includes(':')) return peer
  const mapped = /^::ffff:(?<address>[\d.]+)$/i.exec(peer)?.groups?.['address']
  if (mapped !== undefined) return mapped
  const [head = '', tail] = peer.split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
