import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { Log } from '../../kernel/log/log.ts'
import {
  type EngineAnswer,
  type EngineHealth,
  EngineUnavailable,
  initialHealth,
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
  /** Called for each start of the thread. */
  readonly program: () => Promise<Program>
}

const minRetryDelayMs = 1000
const maxRetryDelayMs = 60_000
/** Much longer than a search takes; the database answers sooner. */
const searchTimeoutMs = 5000
/** Longer than a statement timeout: a silent thread is terminated. */
const hangTimeoutMs = 60_000
/** The thread may have to write a snapshot. */
const closeTimeoutMs = 10_000

/**
 * A search engine in a supervised worker thread. A dead thread is restarted with exponential
 * backoff and its requests fail. A silent thread is terminated.
 */
export function createThreadedEngine({ host, log, program }: ThreadedEngineNeeds): SearchEngine {
  const stop = new AbortController()
  const state: { thread?: SearchThread | undefined; health: EngineHealth } = {
    health: initialHealth,
  }

  /** Returns the reason of the exit. */
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
      // A thread that had answered is rebuilt; one that never did counts as failed.
      state.health =
        retryDelayMs < minRetryDelayMs ? initialHealth : { ...initialHealth, state: 'failed' }
      log.error({ reason }, 'search thread exited')
      await host.sleep(retryDelayMs, stop.signal)
    }
  }
  const running = supervise()

  const send = async (request: EngineRequest) => {
    if (stop.signal.aborted) throw new EngineUnavailable('The search engine is closed.')
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
      thread?.end('close timed out')
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
      if (!settled) thread.end('search timed out')
    },
  )
  return { candidates: [], degraded: 'index_late', timings: [] }
}

function nextDelay(retryDelayMs: number): number {
  return Math.min(maxRetryDelayMs, 2 * retryDelayMs)
}
