import { messageOf } from '../../kernel/errors/system-error.ts'
import type { Host } from '../../kernel/host/host.ts'
import { TooLate } from '../../kernel/threads/task-thread.ts'
import { EmbeddingFailure } from './embedder.ts'

const failuresToOpen = 5
const firstOpenMs = 30_000
const maxOpenMs = 600_000

interface CallTraits {
  /** A rejected text counts as a failure only for a probe. */
  readonly isProbe?: boolean
  /** A success that may come from a cache does not close the breaker. */
  readonly mayBeCached?: boolean
}

interface Breaker {
  /** Runs the call; rejects it immediately while the breaker is open. */
  run<Result>(work: () => Promise<Result>, of?: CallTraits): Promise<Result>
  /** Resets the failure count. */
  close(): void
}

const initialState = { failures: 0, openings: 0, openUntil: 0, lastError: '' }

/**
 * Circuit breaker: opens after five consecutive failures, with exponential backoff up to ten minutes.
 * A late success of an earlier call closes it.
 */
export function createBreaker(host: Host): Breaker {
  const state = { ...initialState }
  const now = () => host.now().getTime()
  const fail = (error: EmbeddingFailure) => {
    state.lastError = error.message
    state.failures += 1
    if (state.failures < failuresToOpen) return
    // Half-open: the next failure opens the breaker again.
    state.failures = failuresToOpen - 1
    state.openUntil = now() + Math.min(maxOpenMs, firstOpenMs * 2 ** state.openings)
    state.openings += 1
  }
  return {
    run: async (work, { isProbe = false, mayBeCached = false } = {}) => {
      if (now() < state.openUntil)
        throw new EmbeddingFailure('provider', `circuit breaker open: ${state.lastError}`)
      try {
        const result = await work()
        if (!mayBeCached) Object.assign(state, initialState)
        return result
      } catch (error) {
        if (error instanceof EmbeddingFailure && (error.kind === 'provider' || isProbe)) fail(error)
        throw error
      }
    },
    close: () => {
      Object.assign(state, initialState)
    },
  }
}

export interface TimeoutLatch {
  /** The reason, if the latch is closed to further work. */
  tripped(): string | undefined
  /**
   * Runs the work unless earlier work timed out. An abort by `closing` is not a time-out.
   * @throws {EmbeddingFailure} of kind `provider` for every error
   */
  run<Result>(work: () => Promise<Result>, closing: AbortSignal): Promise<Result>
}

/** A thread that has timed out is not started again during the lifetime of the latch. */
export function createTimeoutLatch(): TimeoutLatch {
  const state: { tripped?: string } = {}
  return {
    tripped: () => state.tripped,
    run: async (work, closing) => {
      if (state.tripped !== undefined) throw new EmbeddingFailure('provider', state.tripped)
      try {
        return await work()
      } catch (cause) {
        const message = messageOf(cause)
        if (cause instanceof TooLate && !closing.aborted)
          state.tripped = `${message}: disabled until restart`
        throw new EmbeddingFailure('provider', state.tripped ?? message, { cause })
      }
    },
  }
}
