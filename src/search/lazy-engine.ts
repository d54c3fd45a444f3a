import type { Host } from '../kernel/host/host.ts'
import { EngineLost, type SearchEngine } from './engine.ts'

interface OnceNeeded {
  readonly host: Host
  /** Whether nothing was ever kept. */
  readonly isEmpty: () => Promise<boolean>
  readonly create: () => SearchEngine
}

/** A new index takes a tenth of a second, and whoever asks right behind the first memory waits for it. */
const patienceMs = 2000
const lookMs = 10
const nothing = { rows: 0, vectors: 0, revision: 0 }

/** Of an empty database nothing is held in memory: the engine comes with what is kept first. */
export function createEngineOnceNeeded({ host, isEmpty, create }: OnceNeeded): SearchEngine {
  const stop = new AbortController()
  const state: { engine?: SearchEngine; looked: boolean; waiting?: Promise<void> | undefined } = {
    looked: false,
  }
  const untilReady = async (engine: SearchEngine): Promise<void> => {
    const isBuilding = () => engine.health().state === 'building' && !stop.signal.aborted
    for (let waitedMs = 0; isBuilding() && waitedMs < patienceMs; waitedMs += lookMs)
      await host.sleep(lookMs, stop.signal)
  }
  /** What cannot be looked at is not known to be empty. */
  const look = async (): Promise<void> => {
    const empty = await isEmpty().catch(() => false)
    if (empty || state.engine || stop.signal.aborted) return
    state.engine = create()
    if (!state.looked) return
    state.waiting = untilReady(state.engine).then(() => {
      state.waiting = undefined
    })
  }
  const begun = look().then(() => {
    state.looked = true
  })
  const find = async (): Promise<SearchEngine | undefined> => {
    await begun
    if (!state.engine) await look()
    await state.waiting
    if (stop.signal.aborted) throw new EngineLost('The search is closed.')
    return state.engine
  }
  return {
    changed: () => {
      if (state.engine) state.engine.changed()
      else void begun.then(look)
    },
    search: async (query) => (await find())?.search(query) ?? { candidates: [], timings: [] },
    similar: async (query) => (await find())?.similar(query),
    health: () => {
      if (state.engine && !state.waiting) return state.engine.health()
      return { state: state.looked ? 'ready' : 'building', ...nothing }
    },
    close: async () => {
      stop.abort()
      await begun
      await state.engine?.close()
    },
  }
}
