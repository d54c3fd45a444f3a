import type { Host } from '../../kernel/host/host.ts'
import { type EngineHealth, EngineLost, type SearchEngine } from '../engine.ts'
import { type IndexNeeds, type OpenIndex, openIndex, readAll } from './open-index.ts'
import { findSimilar, type Searching, search } from './search.ts'

export interface PostgresEngineNeeds extends IndexNeeds {
  readonly host: Host
  /** Told after each reading of what is new, and when that fails. */
  readonly onHealth?: (health: EngineHealth) => void
}

const firstRestMs = 100
const longestRestMs = 60_000
/** Rows are read many at a time: whoever asks meanwhile reads on at once. */
const gatheredMs = 100
const nothing: EngineHealth = { state: 'building', rows: 0, vectors: 0, revision: 0 }

/**
 * The index of a server, in tables of its own beside the memories. Whichever daemon needs what is
 * not in it yet reads it, one at a time; what it cannot do now it tries again after a rest.
 */
export function createPostgresEngine(needs: PostgresEngineNeeds): SearchEngine {
  const { host, onTrouble, onHealth = () => undefined } = needs
  const stop = new AbortController()
  const news = createNews()
  const state: { index?: OpenIndex; health: EngineHealth } = { health: nothing }

  /** Searches are answered all the same. */
  const tidy = async (index: OpenIndex, { vectors }: EngineHealth) => {
    if (!index.hasVectors || stop.signal.aborted) return
    try {
      await index.tidy(vectors, stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) onTrouble(`the vectors are not indexed: ${error}`)
    }
  }
  const become = (health: EngineHealth) => {
    state.health = health
    onHealth(health)
  }
  const keepUp = async () => {
    for (let restMs = firstRestMs; !stop.signal.aborted; ) {
      try {
        state.index ??= await openIndex(needs)
        become(await readAll(state.index, stop.signal))
        await tidy(state.index, state.health)
        restMs = firstRestMs
        await news.next()
        await host.sleep(gatheredMs, stop.signal)
      } catch (error) {
        // Whoever asks reads on by himself: once is nothing, such as a connection that was lost.
        const isOnce = restMs === firstRestMs && state.health.state === 'ready'
        become(isOnce ? state.health : { ...state.health, state: 'failed' })
        onTrouble(`the search index is not kept up: ${error}`)
        await host.sleep(restMs, stop.signal)
        restMs = Math.min(longestRestMs, 2 * restMs)
      }
    }
  }
  const running = keepUp()

  const ask = async <Answer>(work: (index: Searching) => Promise<Answer>) => {
    if (stop.signal.aborted) throw new EngineLost('The search is closed.')
    const { index, health } = state
    if (health.state === 'ready' && index) return work({ ...index, host })
    const degraded = health.state === 'failed' ? 'index_failed' : 'index_building'
    return { candidates: [], degraded, timings: [] } as const
  }
  return {
    changed: news.tell,
    search: (query) => ask((index) => search(index, query)),
    similar: (query) => ask((index) => findSimilar(index, query)),
    health: () => state.health,
    close: async () => {
      stop.abort()
      news.tell()
      await running
    },
  }
}

/** That there is news, however much of it. */
interface News {
  tell(): void
  /** When something was told since the last time. */
  next(): Promise<void>
}

function createNews(): News {
  let told = Promise.withResolvers<void>()
  return {
    tell: () => told.resolve(),
    next: async () => {
      await told.promise
      told = Promise.withResolvers<void>()
    },
  }
}
