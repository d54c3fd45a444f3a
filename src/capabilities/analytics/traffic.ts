import type { Replied } from '../../kernel/http/replies.ts'
import { type Kind, kindOf } from './kinds.ts'

/** Upper bounds in seconds. */
export const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface Durations {
  /** Calls up to each bound, not cumulated; the last one counts longer calls. */
  readonly counts: readonly number[]
  readonly sum: number
}

interface Recording {
  readonly counts: number[]
  sum: number
}

/** The operation of a path that has none. */
const unmatched = 'unmatched'

/** Counts replies of the whole service by operation. */
export function createTraffic() {
  const statuses = new Map<string, Map<number, number>>()
  const durations = new Map<string, Recording>()
  const byKind = new Map<Kind, Recording>()
  return {
    count: ({ route, status, ms, isInvoked }: Replied): void => {
      const kind = kindOf(route)
      if (kind && status < 400) record(byKind, kind, ms)
      if (isInvoked) return
      const operation = route?.name ?? unmatched
      const counts = statuses.get(operation) ?? new Map<number, number>()
      statuses.set(operation, counts)
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (!route?.isSubscription) record(durations, operation, ms)
    },
    requests: () =>
      [...statuses].flatMap(([operation, counts]) =>
        [...counts].map(([status, count]) => ({ operation, status, count })),
      ),
    durations: (): ReadonlyMap<string, Durations> => durations,
    durationsOf: (kind: Kind): Durations => byKind.get(kind) ?? empty(),
  }
}

function record<Key>(recordings: Map<Key, Recording>, key: Key, ms: number): void {
  const recording = recordings.get(key) ?? empty()
  recordings.set(key, recording)
  const seconds = ms / 1000
  const index = buckets.findIndex((upper) => seconds <= upper)
  const slot = index === -1 ? buckets.length : index
  recording.counts[slot] = (recording.counts[slot] ?? 0) + 1
  recording.sum += seconds
}

function empty(): Recording {
  return { counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }
}
