import type { Host } from '../../../kernel/host/host.ts'

/** Leaves time for recalls while much text is stored. */
export interface Pace {
  /** A recall was performed: work of the next half second pauses. */
  yieldToRecalls(): void
  /** Whether recalls are performed. */
  isBusy(): boolean
  /** The size of the next part of the work: a quarter while recalls are performed. */
  limit(size: number): number
  /** Does a part of the work, then pauses as long as it took if a recall was performed lately. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

const recentMs = 500
const busyShare = 0.25
/** A longer part has itself waited for other work. */
const maxPauseMs = 100

export function createPace({ now, sleep }: Pick<Host, 'now' | 'sleep'>): Pace {
  const state = { recalledAt: Number.NEGATIVE_INFINITY }
  const isBusy = () => now().getTime() - state.recalledAt < recentMs
  return {
    yieldToRecalls: () => {
      state.recalledAt = now().getTime()
    },
    isBusy,
    limit: (size) => (isBusy() ? Math.ceil(size * busyShare) : size),
    run: async (work, signal) => {
      const from = now().getTime()
      const result = await work()
      const elapsedMs = now().getTime() - from
      if (isBusy()) await sleep(Math.min(maxPauseMs, elapsedMs), signal)
      return result
    },
  }
}
