import type { Host } from '../host/host.ts'
import { fixedHost } from './fixed-host.ts'

interface Waiter {
  readonly until: number
  readonly wake: () => void
}

/** Like `fixedHost`, but the test advances the time, which wakes waiters. */
export interface ManualClockHost extends Host {
  advance(ms: number): void
  /** The remaining delays of the current waiters. */
  sleeps(): number[]
}

export function manualClockHost(): ManualClockHost {
  const fixed = fixedHost()
  const waiters = new Set<Waiter>()
  let now = fixed.now().getTime()
  return {
    ...fixed,
    now: () => new Date(now),
    sleep: (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter = { until: now + ms, wake: resolve }
      waiters.add(waiter)
      signal?.addEventListener('abort', () => resolve())
      if (signal?.aborted || ms <= 0) resolve()
      return promise.finally(() => waiters.delete(waiter))
    },
    advance: (ms) => {
      now += ms
      for (const { until, wake } of waiters) if (until <= now) wake()
    },
    sleeps: () => [...waiters].map(({ until }) => until - now),
  }
}
