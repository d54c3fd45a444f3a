import type { Host } from '../../kernel/host/host.ts'

export interface Timing {
  readonly name: string
  readonly durationMs: number
}

export interface Stopwatch {
  measure<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** What was measured elsewhere. */
  add(timings: readonly Timing[]): void
  readonly timings: readonly Timing[]
}

/** Tells how long each stage took, in the order in which they ended. */
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
