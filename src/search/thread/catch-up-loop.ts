import type { Host } from '../../kernel/host/host.ts'
import { type EngineHealth, initialHealth } from '../engine.ts'

/** What an engine reports while it runs. */
export interface EngineListeners {
  /** Called after each catch-up and after each failure. */
  readonly onHealth: (health: EngineHealth) => void
  /** For the log. */
  readonly onWarning: (message: string) => void
}

interface LoopNeeds extends EngineListeners {
  readonly host: Host
  /** Opens the index if needed, reads all changes and returns the health. */
  readonly catchUp: (signal: AbortSignal) => Promise<EngineHealth>
  /** Runs after a catch-up was reported. */
  readonly maintain?: (health: EngineHealth, signal: AbortSignal) => Promise<void>
  /** An error that ends the thread, which is then replaced. */
  readonly isFatal?: (error: unknown) => boolean
}

export interface CatchUpLoop {
  changed(): void
  health(): EngineHealth
  /** Resolves when the current catch-up has stopped. */
  close(): Promise<void>
}

const minRetryDelayMs = 100
const maxRetryDelayMs = 60_000
/** Groups changes; a search reads them at once. */
const batchDelayMs = 100

/** Keeps an index up to date: catches up at the start and after each change, and retries after a delay. */
export function startCatchUpLoop(needs: LoopNeeds): CatchUpLoop {
  const { host, catchUp, maintain, isFatal, onHealth, onWarning } = needs
  const stop = new AbortController()
  const changes = createSignal()
  const state = { health: initialHealth }
  const setHealth = (health: EngineHealth) => {
    state.health = health
    onHealth(health)
  }
  const handleFailure = async (error: unknown, retryDelayMs: number) => {
    if (isFatal?.(error)) throw error
    // A search catches up by itself: a single failure, such as a lost connection, is ignored.
    const isFirstFailure = retryDelayMs === minRetryDelayMs && state.health.state === 'ready'
    setHealth(isFirstFailure ? state.health : { ...state.health, state: 'failed' })
    onWarning(`search index catch-up failed: ${error}`)
    await host.sleep(retryDelayMs, stop.signal)
    return Math.min(maxRetryDelayMs, 2 * retryDelayMs)
  }
  const run = async () => {
    for (let retryDelayMs = minRetryDelayMs; !stop.signal.aborted; ) {
      try {
        setHealth(await catchUp(stop.signal))
        await maintain?.(state.health, stop.signal)
        retryDelayMs = minRetryDelayMs
        await changes.wait()
        await host.sleep(batchDelayMs, stop.signal)
      } catch (error) {
        retryDelayMs = await handleFailure(error, retryDelayMs)
      }
    }
  }
  const running = run()
  return {
    changed: changes.notify,
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
