import type { Host } from '../../kernel/host/host.ts'
import { EmbeddingFailure } from './embedder.ts'

const failuresToOpen = 5
const firstRestMs = 30_000
const longestRestMs = 600_000

interface Work {
  /** A text that will not do is no failure, unless it is a probe. */
  readonly isProbe?: boolean
  /** What may be known without asking says nothing for the provider when it succeeds. */
  readonly mayBeKnown?: boolean
}

export interface Breaker {
  /** Does the work, or refuses it at once while the provider is left alone. */
  run<Result>(work: () => Promise<Result>, of?: Work): Promise<Result>
  /** Forgets what has failed. */
  close(): void
}

/** A provider that is well. */
const well = { failures: 0, rests: 0, closedAgainAt: 0, problem: '' }

/**
 * Five failures in a row, and a provider is left alone: each time twice as long, ten minutes at most.
 * Whoever answers nevertheless, asked before that, is well again.
 */
export function createBreaker(host: Host): Breaker {
  const state = { ...well }
  const now = () => host.now().getTime()
  const fail = (error: EmbeddingFailure) => {
    state.problem = error.message
    state.failures += 1
    if (state.failures < failuresToOpen) return
    // One call more may try whether all is well again.
    state.failures = failuresToOpen - 1
    state.closedAgainAt = now() + Math.min(longestRestMs, firstRestMs * 2 ** state.rests)
    state.rests += 1
  }
  return {
    run: async (work, { isProbe = false, mayBeKnown = false } = {}) => {
      if (now() < state.closedAgainAt)
        throw new EmbeddingFailure('provider', `left alone for a while: ${state.problem}`)
      try {
        const result = await work()
        if (!mayBeKnown) Object.assign(state, well)
        return result
      } catch (error) {
        if (error instanceof EmbeddingFailure && (error.kind === 'provider' || isProbe)) fail(error)
        throw error
      }
    },
    close: () => {
      Object.assign(state, well)
    },
  }
}
