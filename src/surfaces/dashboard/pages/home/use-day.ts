import { useState } from 'react'
import { host } from '../../host.ts'
import type { EventsReply } from '../../queries/home.ts'
import type { MemoryPage } from '../../queries/memories.ts'
import { useRead } from '../../queries/read.ts'

const hourMs = 3_600_000
const hours = 24

export interface Hour {
  /** The start of the hour in milliseconds. */
  readonly at: number
  readonly recalls: number
  readonly captures: number
}

export interface Recall {
  readonly id: string
  readonly at: string
  readonly found: number
  readonly latencyMs: number
}

/** The last 24 hours: the recalls, the new memories, and both by hour. */
export function useDay() {
  const [start] = useState(() => Math.floor(host.now() / hourMs) * hourMs - (hours - 1) * hourMs)
  const since = new Date(start).toISOString()
  const events = useRead<EventsReply>('GET /api/telemetry/events', {
    query: { event: 'recall.performed', since, limit: 1000 },
  })
  const created = useRead<MemoryPage>('GET /api/memories', { query: { since, limit: 1000 } })
  const recalls = (events.data?.events ?? []).map(toRecall)
  const memories = created.data?.memories ?? []
  const byHour = Array.from({ length: hours }, (_, index): Hour => {
    const at = start + index * hourMs
    const isInHour = (time: string) => Math.floor((Date.parse(time) - at) / hourMs) === 0
    return {
      at,
      recalls: recalls.filter((recall) => isInHour(recall.at)).length,
      captures: memories.filter(({ created_at }) => isInHour(created_at)).length,
    }
  })
  const stored = created.data?.total ?? memories.length
  return { events, created, recalls, stored, byHour }
}

export type Day = ReturnType<typeof useDay>

function toRecall({ id, timestamp, properties }: EventsReply['events'][number]): Recall {
  const { results, latencyMs } = properties
  return { id, at: timestamp, found: Number(results ?? 0), latencyMs: Number(latencyMs ?? 0) }
}

export function toMedian(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
