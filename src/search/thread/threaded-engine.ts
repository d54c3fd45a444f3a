import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { Log } from '../../kernel/log/log.ts'
import {
  type EngineAnswer,
  type EngineHealth,
  EngineUnavailable,
  type SearchEngine,
} from '../engine.ts'
import {
  type EngineRequest,
  type Program,
  type SearchThread,
  startSearchThread,
} from './search-thread.ts'

interface ThreadedEngineNeeds {
  readonly host: Host
  readonly log: Log
  /** Asked for each time that a thread is started. */
  readonly program: () => Promise<Program>
}

const minRetryDelayMs = 1000
const maxRetryDelayMs = 60_000
/** Far longer than a question takes: the database answers sooner. */
const searchTimeoutMs = 5000
/** Longer than a server takes for a statement: whoever is silent for so long is lost. */
const hangTimeoutMs = 60_000
/** It may have an index to write. */
const closeTimeoutMs = 10_000
const initialHealth: EngineHealth = { state: 'building', rows: 0, vectors: 0, revision: 0 }

/**
 * A search in a thread of its own. One that dies is replaced once it is gone, after a rest that
 * doubles each time; what it was asked is refused. One that is silent for too long is ended.
 */
export function createThreadedEngine({ host, log, program }: ThreadedEngineNeeds): SearchEngine {
  const stop = new AbortController()
  const state: { thread?: SearchThread | undefined; health: EngineHealth } = {
    health: initialHealth,
  }

  /** Gives the reason why the thread is gone. */
  const runOnce = async (onHealth: () => void) => {
    const current = await program()
    if (stop.signal.aborted) return undefined
    state.thread = startSearchThread(current, {
      onHealth: (health) => {
        state.health = health
        onHealth()
      },
      onWarning: (message) => log.warn(message),
    })
    state.health = initialHealth
    return state.thread.ended
  }
  const supervise = async () => {
    for (
      let retryDelayMs = minRetryDelayMs;
      !stop.signal.aborted;
      retryDelayMs = nextDelay(retryDelayMs)
    ) {
      const reason = await runOnce(() => {
        retryDelayMs = minRetryDelayMs / 2
      }).catch(String)
      state.thread = undefined
      if (stop.signal.aborted) return
      // One that had answered is built anew; of one that never did nobody knows whether it will.
      state.health =
        retryDelayMs < minRetryDelayMs ? initialHealth : { ...initialHealth, state: 'failed' }
      log.error({ reason }, 'the search thread is gone')
      await host.sleep(retryDelayMs, stop.signal)
    }
  }
  const running = supervise()

  const send = async (request: EngineRequest) => {
    if (stop.signal.aborted) throw new EngineUnavailable('The search is closed.')
    if (state.health.state === 'ready' && state.thread)
      return sendWithTimeout(host, state.thread, request)
    const degraded = state.health.state === 'failed' ? 'index_failed' : 'index_building'
    return { candidates: [], degraded, timings: [] } as const
  }
  return {
    changed: () => state.thread?.changed(),
    search: async (query) =>
      (await send({ kind: 'search', query })) ?? { candidates: [], timings: [] },
    similar: (query) => send({ kind: 'similar', query }),
    health: () => state.health,
    close: async () => {
      stop.abort()
      const { thread } = state
      if (thread) await withTimeout(host, closeTimeoutMs, thread.close())
      thread?.end('it does not close')
      await running
    },
  }
}

async function sendWithTimeout(
  host: Host,
  thread: SearchThread,
  request: EngineRequest,
): Promise<EngineAnswer | undefined> {
  const pendingReply = thread.send(request).then((answer) => ({ answer }))
  const result = await withTimeout(host, searchTimeoutMs, pendingReply)
  if (result) return result.answer
  void withTimeout(host, hangTimeoutMs - searchTimeoutMs, Promise.allSettled([pendingReply])).then(
    (settled) => {
      if (!settled) thread.end('it does not answer')
    },
  )
  return { candidates: [], degraded: 'index_late', timings: [] }
}

function nextDelay(retryDelayMs: number): number {
  return Math.min(maxRetryDelayMs, 2 * retryDelayMs)
}
