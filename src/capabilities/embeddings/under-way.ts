import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'

/** What goes on behind an answer. */
export interface UnderWay {
  readonly signal: AbortSignal
  count(): number
  /** The result, or undefined when it takes longer; the work goes on then, and must not throw. */
  within<Result>(budgetMs: number, work: () => Promise<Result>): Promise<Result | undefined>
  /** Fulfilled when nothing is under way. */
  settled(): Promise<void>
  /** Tells what is under way that nobody waits for it any more. */
  abort(): void
}

export function createUnderWay(host: Host): UnderWay {
  const ended = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    signal: ended.signal,
    count: () => running.size,
    within: async (budgetMs, work) => {
      const done = work()
      running.add(done)
      const last = done.finally(() => running.delete(done))
      return await withTimeout(host, budgetMs, last)
    },
    settled: async () => {
      await Promise.all(running)
    },
    abort: () => ended.abort(),
  }
}
