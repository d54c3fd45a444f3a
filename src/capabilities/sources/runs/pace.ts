import type { Host } from '../../../kernel/host/host.ts'

/** Leaves time for recalls while much text is stored. */
export interface Pace {
  /** A recall was performed: work of the next half second pauses. */
  yieldToRecalls(): void
  /** Does a part of the work, then pauses as long as it took if a recall was performed lately. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

const recentMs = 500
/** A part that took longer has waited for others itself. */
const maxPauseMs = 100

export function createPace({ now, sleep }: Pick<Host, 'now' | 'sleep'>): Pace {
  const state = { recalledAt: Number.NEGATIVE_INFINITY }
  return {
    yieldToRecalls: () => {
      state.recalledAt = now().getTime()
    },
    run: async (work, signal) => {
      const from = now().getTime()
      const result = await work()
      const to = now().getTime()
      if (to - state.recalledAt < recentMs) await sleep(Math.min(maxPauseMs, to - from), signal)
      return result
    },
  }
}
