import type { Host } from '../host/host.ts'
import { fixedHost } from './fixed-host.ts'

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

/** Like `fixedHost`, but the test advances the time, which wakes sleepers. */
export interface SteeredHost extends Host {
  advance(ms: number): void
  /** The remaining delays of the current sleepers. */
  sleeps(): number[]
}

export function steeredHost(): SteeredHost {
  const fixed = fixedHost()
  const sleepers = new Set<Sleeper>()
  let now = fixed.now().getTime()
  return {
    ...fixed,
    now: () => new Date(now),
    sleep: (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const sleeper = { until: now + ms, wake: resolve }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', () => resolve())
      if (signal?.aborted || ms <= 0) resolve()
      return promise.finally(() => sleepers.delete(sleeper))
    },
    advance: (ms) => {
      now += ms
      for (const { until, wake } of sleepers) if (until <= now) wake()
    },
    sleeps: () => [...sleepers].map(({ until }) => until - now),
  }
}
