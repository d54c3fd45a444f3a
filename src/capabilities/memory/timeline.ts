import type { Caller } from '../../kernel/auth/caller.ts'
import type { MemoryNeeds } from './needs.ts'
import type { Namespace } from './store/filter.ts'
import {
  countCreated,
  countHistoryEvents,
  type NamedCount,
  type TimeSpan,
  type TypeCount,
} from './store/timeline.ts'

export interface TimelineRequest extends Namespace {
  /** Minutes from local time to UTC: -120 in Oslo in summer, as in browsers. */
  readonly tzOffset: number
}

export interface Bucket {
  readonly rangeKey: 'today' | 'last_week' | 'last_month'
  /** Local midnight. */
  readonly start: string
  readonly end: string
  readonly typeCounts: readonly TypeCount[]
  readonly eventCounts: readonly NamedCount[]
}

export interface Timeline {
  readonly generatedAt: string
  readonly buckets: readonly Bucket[]
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const ranges = [
  { rangeKey: 'today', days: 1 },
  { rangeKey: 'last_week', days: 7 },
  { rangeKey: 'last_month', days: 30 },
] as const

/** Counts memories and history events of each range. Ranges include the shorter ones. */
export async function readTimeline(
  { db, agents, host }: MemoryNeeds,
  caller: Caller,
  { tzOffset, ...namespace }: TimelineRequest,
): Promise<Timeline> {
  const readScope = await agents.readScopeOf(db, caller)
  const now = host.now()
  const buckets = ranges.map(async ({ rangeKey, days }): Promise<Bucket> => {
    const span = lastDays(now, days, tzOffset * minuteMs)
    const selection = { ...span, ...namespace }
    const [typeCounts, eventCounts] = await Promise.all([
      countCreated(db, readScope, selection),
      countHistoryEvents(db, readScope, selection),
    ])
    return { rangeKey, ...span, typeCounts: typeCounts, eventCounts: eventCounts }
  })
  return { generatedAt: now.toISOString(), buckets: await Promise.all(buckets) }
}

/** From a local midnight to the next local midnight. */
function lastDays(now: Date, days: number, offsetMs: number): TimeSpan {
  const today = Math.floor((now.getTime() - offsetMs) / dayMs) * dayMs + offsetMs
  const at = (day: number) => new Date(today + day * dayMs).toISOString()
  return { start: at(1 - days), end: at(1) }
}
