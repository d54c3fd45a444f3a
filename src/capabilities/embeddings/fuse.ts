import { TooLate } from '../../kernel/threads/task-thread.ts'
import { EmbeddingFailure } from './embedder.ts'

export interface Fuse {
  /** Why nothing is run any more. */
  blown(): string | undefined
  /**
   * Does the work of a thread, unless such work was late before; what the signal ends is not late.
   * @throws {EmbeddingFailure} of the kind `provider`, whatever the thread has thrown
   */
  run<Result>(work: () => Promise<Result>, closing: AbortSignal): Promise<Result>
}

/** A thread that was late once is not started again; whoever keeps the fuse says for how long. */
export function createFuse(): Fuse {
  const state: { blown?: string } = {}
  return {
    blown: () => state.blown,
    run: async (work, closing) => {
      if (state.blown !== undefined) throw new EmbeddingFailure('provider', state.blown)
      try {
        return await work()
      } catch (cause) {
        const said = cause instanceof Error ? cause.message : String(cause)
        if (cause instanceof TooLate && !closing.aborted)
          state.blown = `${said}: not asked again before a restart`
        throw new EmbeddingFailure('provider', state.blown ?? said, { cause })
      }
    },
  }
}
