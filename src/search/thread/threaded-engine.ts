import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { Log } from '../../kernel/log/log.ts'
import { type EngineAnswer, type EngineHealth, EngineLost, type SearchEngine } from '../engine.ts'
import {
  type Program,
  type Question,
  type SearchThread,
  startSearchThread,
} from './search-thread.ts'

interface ThreadedEngineNeeds {
  readonly host: Host
  readonly log: Log
  /** Asked for each time that a thread is started. */
  readonly program: () => Promise<Program>
}

const firstRestMs = 1000
const longestRestMs = 60_000
/** Far longer than a question takes: the database answers sooner. */
const answersWithinMs = 5000
/** Longer than a server takes for a statement: whoever is silent for so long is lost. */
const lostAfterMs = 60_000
/** It may have an index to write. */
const closesWithinMs = 10_000
const nothing: EngineHealth = { state: 'building', rows: 0, vectors: 0, revision: 0 }

/**
 * A search in a thread of its own. One that dies is replaced once it is gone, after a rest that
 * doubles each time; what it was asked is refused. One that is silent for too long is ended.
 */
export function createThreadedEngine({ host, log, program }: ThreadedEngineNeeds): SearchEngine {
  const stop = new AbortController()
  const state: { thread?: SearchThread | undefined; health: EngineHealth } = { health: nothing }

  /** Gives the reason why the thread is gone. */
  const runOnce = async (onHealth: () => void) => {
    const started = await program()
    if (stop.signal.aborted) return undefined
    state.thread = startSearchThread(started, {
      onHealth: (health) => {
        state.health = health
        onHealth()
      },
      onTrouble: (message) => log.warn(message),
    })
    state.health = nothing
    return state.thread.ended
  }
  const keepRunning = async () => {
    for (let restMs = firstRestMs; !stop.signal.aborted; restMs = nextRest(restMs)) {
      const reason = await runOnce(() => {
        restMs = firstRestMs / 2
      }).catch(String)
      state.thread = undefined
      if (stop.signal.aborted) return
      // One that had answered is built anew; of one that never did nobody knows whether it will.
      state.health = restMs < firstRestMs ? nothing : { ...nothing, state: 'failed' }
      log.error({ reason }, 'the search thread is gone')
      await host.sleep(restMs, stop.signal)
    }
  }
  const running = keepRunning()

  const ask = async (question: Question) => {
    if (stop.signal.aborted) throw new EngineLost('The search is closed.')
    if (state.health.state === 'ready' && state.thread)
      return askInTime(host, state.thread, question)
    const degraded = state.health.state === 'failed' ? 'index_failed' : 'index_building'
    return { candidates: [], degraded, timings: [] } as const
  }
  return {
    changed: () => state.thread?.changed(),
    search: async (query) =>
      (await ask({ kind: 'search', query })) ?? { candidates: [], timings: [] },
    similar: (query) => ask({ kind: 'similar', query }),
    health: () => state.health,
    close: async () => {
      stop.abort()
      const { thread } = state
      if (thread) await withTimeout(host, closesWithinMs, thread.close())
      thread?.end('it does not close')
      await running
    },
  }
}

async function askInTime(
  host: Host,
  thread: SearchThread,
  question: Question,
): Promise<EngineAnswer | undefined> {
  const asked = thread.ask(question).then((answer) => ({ answer }))
  const told = await withTimeout(host, answersWithinMs, asked)
  if (told) return told.answer
  void withTimeout(host, lostAfterMs - answersWithinMs, Promise.allSettled([asked])).then(
    (settled) => {
      if (!settled) thread.end('it does not answer')
    },
  )
  return { candidates: [], degraded: 'index_late', timings: [] }
}

function nextRest(restMs: number): number {
  return Math.min(longestRestMs, 2 * restMs)
}
