import type { Host } from '../../kernel/host/host.ts'

export interface Timing {
  readonly name: string
  readonly durationMs: number
}

export interface Stopwatch {
  measure<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Adds timings measured by another thread. */
  add(timings: readonly Timing[]): void
  readonly timings: readonly Timing[]
}

/** Measures the duration of each stage, in order of completion. */
export function createStopwatch(host: Pick<Host, 'now'>): Stopwatch {
  const timings: Timing[] = []
  return {
    timings,
    add: (more) => timings.push(...more),
    measure: async (name, work) => {
      const started = host.now().getTime()
      try {
        return await work()
      } finally {
        timings.push({ name, durationMs: host.now().getTime() - started })
      }
    },
  }
}
