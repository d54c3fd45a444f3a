import { TooLate } from '../../kernel/threads/task-thread.ts'
import { EmbeddingFailure } from './embedder.ts'

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
        const message = cause instanceof Error ? cause.message : String(cause)
        if (cause instanceof TooLate && !closing.aborted)
          state.tripped = `${message}: disabled until restart`
        throw new EmbeddingFailure('provider', state.tripped ?? message, { cause })
      }
    },
  }
}
