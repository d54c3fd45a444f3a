import type { Host } from '../../kernel/host/host.ts'
import { type EngineHealth, EngineUnavailable, type SearchEngine } from '../engine.ts'
import { type IndexNeeds, type OpenIndex, openIndex, readAll } from './open-index.ts'
import { findSimilar, type SearchContext, search } from './search.ts'

export interface PostgresEngineNeeds extends IndexNeeds {
  readonly host: Host
  /** Told after each reading of what is new, and when that fails. */
  readonly onHealth?: (health: EngineHealth) => void
}

const minRetryDelayMs = 100
const maxRetryDelayMs = 60_000
/** Rows are read many at a time: whoever asks meanwhile reads on at once. */
const batchDelayMs = 100
const initialHealth: EngineHealth = { state: 'building', rows: 0, vectors: 0, revision: 0 }

/**
 * The index of a server, in tables of its own beside the memories. Whichever daemon needs what is
 * not in it yet reads it, one at a time; what it cannot do now it tries again after a rest.
 */
export function createPostgresEngine(needs: PostgresEngineNeeds): SearchEngine {
  const { host, onWarning, onHealth = () => undefined } = needs
  const stop = new AbortController()
  const changes = createSignal()
  const state: { index?: OpenIndex; health: EngineHealth } = { health: initialHealth }

  /** Searches are answered all the same. */
  const prune = async (index: OpenIndex, { vectors }: EngineHealth) => {
    if (!index.hasVectors || stop.signal.aborted) return
    try {
      await index.prune(vectors, stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) onWarning(`the vectors are not indexed: ${error}`)
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
        // Whoever asks reads on by himself: once is nothing, such as a connection that was lost.
        const isFirstFailure = retryDelayMs === minRetryDelayMs && state.health.state === 'ready'
        setHealth(isFirstFailure ? state.health : { ...state.health, state: 'failed' })
        onWarning(`the search index is not kept up: ${error}`)
        await host.sleep(retryDelayMs, stop.signal)
        retryDelayMs = Math.min(maxRetryDelayMs, 2 * retryDelayMs)
      }
    }
  }
  const running = runCatchUp()

  const withIndex = async <Answer>(work: (index: SearchContext) => Promise<Answer>) => {
    if (stop.signal.aborted) throw new EngineUnavailable('The search is closed.')
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

/** That there is news, however much of it. */
interface Signal {
  notify(): void
  /** When something was told since the last time. */
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
