import type { Host } from '../../kernel/host/host.ts'
import { type EngineHealth, EngineUnavailable, type SearchEngine } from '../engine.ts'
import { type IndexNeeds, type OpenIndex, openIndex, readAll } from './open-index.ts'
import { findSimilar, type SearchContext, search } from './search.ts'

export interface PostgresEngineNeeds extends IndexNeeds {
  readonly host: Host
  /** Called after each catch-up and after each failure. */
  readonly onHealth?: (health: EngineHealth) => void
}

const minRetryDelayMs = 100
const maxRetryDelayMs = 60_000
/** Groups changes; a search reads them at once. */
const batchDelayMs = 100
const initialHealth: EngineHealth = { state: 'building', rows: 0, vectors: 0, revision: 0 }

/**
 * The index of a server, in tables beside the memories. Any daemon reads missing rows, one at a
 * time, and retries after a delay.
 */
export function createPostgresEngine(needs: PostgresEngineNeeds): SearchEngine {
  const { host, onWarning, onHealth = () => undefined } = needs
  const stop = new AbortController()
  const changes = createSignal()
  const state: { index?: OpenIndex; health: EngineHealth } = { health: initialHealth }

  /** A failure does not affect searches. */
  const prune = async (index: OpenIndex, { vectors }: EngineHealth) => {
    if (!index.hasVectors || stop.signal.aborted) return
    try {
      await index.prune(vectors, stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) onWarning(`vector index build failed: ${error}`)
    }
  }
  const setHealth = (health: EngineHealth) => {
    state.health = health
    onHealth(health)
  }
  const runCatchUp = async () => {
    for (let retryDelayMs = minRetryDelayMs; !stop.signal.aborted; ) {
      try {
        state.index ??= await openIndex(needs)
        setHealth(await readAll(state.index, stop.signal))
        await prune(state.index, state.health)
        retryDelayMs = minRetryDelayMs
        await changes.wait()
        await host.sleep(batchDelayMs, stop.signal)
      } catch (error) {
        // A search catches up by itself: a single failure, such as a lost connection, is ignored.
        const isFirstFailure = retryDelayMs === minRetryDelayMs && state.health.state === 'ready'
        setHealth(isFirstFailure ? state.health : { ...state.health, state: 'failed' })
        onWarning(`search index catch-up failed: ${error}`)
        await host.sleep(retryDelayMs, stop.signal)
        retryDelayMs = Math.min(maxRetryDelayMs, 2 * retryDelayMs)
      }
    }
  }
  const running = runCatchUp()

  const withIndex = async <Answer>(work: (index: SearchContext) => Promise<Answer>) => {
    if (stop.signal.aborted) throw new EngineUnavailable('The search engine is closed.')
    const { index, health } = state
    if (health.state === 'ready' && index) return work({ ...index, host })
    const degraded = health.state === 'failed' ? 'index_failed' : 'index_building'
    return { candidates: [], degraded, timings: [] } as const
  }
  return {
    changed: changes.notify,
    search: (query) => withIndex((index) => search(index, query)),
    similar: (query) => withIndex((index) => findSimilar(index, query)),
    health: () => state.health,
    close: async () => {
      stop.abort()
      changes.notify()
      await running
    },
  }
}

/** A signal that coalesces notifications. */
interface Signal {
  notify(): void
  /** Resolves when notified since the last call. */
  wait(): Promise<void>
}

function createSignal(): Signal {
  let pending = Promise.withResolvers<void>()
  return {
    notify: () => pending.resolve(),
    wait: async () => {
      await pending.promise
      pending = Promise.withResolvers<void>()
    },
  }
}
