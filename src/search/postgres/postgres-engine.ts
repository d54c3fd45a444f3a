import type { Host } from '../../kernel/host/host.ts'
import { type EngineHealth, EngineUnavailable, type SearchEngine } from '../engine.ts'
import { type EngineListeners, startCatchUpLoop } from '../thread/catch-up-loop.ts'
import { type IndexNeeds, type OpenIndex, openIndex, readAll } from './open-index.ts'
import { findSimilar, type SearchContext, search } from './search.ts'

export interface PostgresEngineNeeds extends IndexNeeds {
  readonly host: Host
  readonly onHealth?: EngineListeners['onHealth']
}

/**
 * The index of a server, in tables of the same database. Any daemon reads missing rows, one at a
 * time, and retries after a delay.
 */
export function createPostgresEngine(needs: PostgresEngineNeeds): SearchEngine {
  const { host, onWarning, onHealth = () => undefined } = needs
  const state: { index?: OpenIndex; isClosed?: true } = {}

  /** A failure does not affect searches. */
  const prune = async ({ vectors }: EngineHealth, signal: AbortSignal) => {
    if (!state.index?.hasVectors || signal.aborted) return
    try {
      await state.index.prune(vectors, signal)
    } catch (error) {
      if (!signal.aborted) onWarning(`vector index build failed: ${error}`)
    }
  }
  const loop = startCatchUpLoop({
    host,
    onHealth,
    onWarning,
    catchUp: async (signal) => {
      state.index ??= await openIndex(needs)
      return readAll(state.index, signal)
    },
    maintain: prune,
  })

  const withIndex = async <Answer>(work: (index: SearchContext) => Promise<Answer>) => {
    if (state.isClosed) throw new EngineUnavailable('The search engine is closed.')
    const health = loop.health()
    if (health.state === 'ready' && state.index) return work({ ...state.index, host })
    const degraded = health.state === 'failed' ? 'index_failed' : 'index_building'
    return { candidates: [], degraded, timings: [] } as const
  }
  return {
    changed: loop.changed,
    search: (query) => withIndex((index) => search(index, query)),
    similar: (query) => withIndex((index) => findSimilar(index, query)),
    health: loop.health,
    close: async () => {
      state.isClosed = true
      await loop.close()
    },
  }
}
