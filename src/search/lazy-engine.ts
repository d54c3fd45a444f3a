import type { Host } from '../kernel/host/host.ts'
import { EngineUnavailable, type SearchEngine } from './engine.ts'

interface LazyEngineOptions {
  readonly host: Host
  /** Whether nothing was ever stored. */
  readonly isEmpty: () => Promise<boolean>
  readonly create: () => SearchEngine
}

/** A new index takes about 0.1 s. A search right after the first memory waits for it. */
const buildTimeoutMs = 2000
const pollMs = 10
const emptyCounts = { rows: 0, vectors: 0, revision: 0 }

/** Creates the engine with the first stored memory, so that an empty database takes no memory. */
export function createLazyEngine({ host, isEmpty, create }: LazyEngineOptions): SearchEngine {
  const stop = new AbortController()
  const state: { engine?: SearchEngine; isChecked: boolean; starting?: Promise<void> | undefined } =
    {
      isChecked: false,
    }
  const untilReady = async (engine: SearchEngine): Promise<void> => {
    const isBuilding = () => engine.health().state === 'building' && !stop.signal.aborted
    for (let elapsedMs = 0; isBuilding() && elapsedMs < buildTimeoutMs; elapsedMs += pollMs)
      await host.sleep(pollMs, stop.signal)
  }
  /** A failed check counts as not empty. */
  const createIfNeeded = async (): Promise<void> => {
    const empty = await isEmpty().catch(() => false)
    if (empty || state.engine || stop.signal.aborted) return
    state.engine = create()
    if (!state.isChecked) return
    state.starting = untilReady(state.engine).then(() => {
      state.starting = undefined
    })
  }
  const firstCheck = createIfNeeded().then(() => {
    state.isChecked = true
  })
  const getEngine = async (): Promise<SearchEngine | undefined> => {
    await firstCheck
    if (!state.engine) await createIfNeeded()
    await state.starting
    if (stop.signal.aborted) throw new EngineUnavailable('The search engine is closed.')
    return state.engine
  }
  return {
    changed: () => {
      if (state.engine) state.engine.changed()
      else void firstCheck.then(createIfNeeded)
    },
    search: async (query) => (await getEngine())?.search(query) ?? { candidates: [], timings: [] },
    similar: async (query) => (await getEngine())?.similar(query),
    health: () => {
      if (state.engine && !state.starting) return state.engine.health()
      return { state: state.isChecked ? 'ready' : 'building', ...emptyCounts }
    },
    close: async () => {
      stop.abort()
      await firstCheck
      await state.engine?.close()
    },
  }
}
