import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { EmbedderRegistry } from './embedder-registry.ts'
import type { EmbeddingsNeeds } from './needs.ts'

/** Tracks background work that outlives its request. */
interface PendingWork {
  readonly signal: AbortSignal
  count(): number
  /** Returns undefined after `budgetMs`; the work continues and must not throw. */
  run<Result>(budgetMs: number, work: () => Promise<Result>): Promise<Result | undefined>
  /** Resolves when no work is pending. */
  settled(): Promise<void>
  /** Aborts the signal of all pending work. */
  abort(): void
}

export function createPendingWork(host: Host): PendingWork {
  const ended = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    signal: ended.signal,
    count: () => running.size,
    run: async (budgetMs, work) => {
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

/** Shared state of the operations. */
export interface Runtime {
  readonly needs: EmbeddingsNeeds
  readonly registry: EmbedderRegistry
  readonly pendingWork: PendingWork
}
