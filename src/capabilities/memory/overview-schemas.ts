import { z } from 'zod'
import { toSnakeKeys } from '../../kernel/http/snake-case.ts'
import * as read from '../../kernel/http/wire-values.ts'
import type { Bucket, ReviewItem, Timeline } from './list.ts'
import type { Memory } from './memory.ts'
import type { MemoryUsage } from './store/access.ts'

import { toWireTags } from './wire-fields.ts'

/** The largest UTC offset, in minutes. */
const maxOffsetMinutes = 840

const commonQuery = {
  agentId: read.ignored,
  agent_id: read.ignored,
  scope: read.text.describe('A namespace. Default: memories without a namespace.'),
}

export const usageRankingQuery = z.object({
  ...commonQuery,
  limit: read.integer('limit', { min: 1, max: 100, default: 10 }),
})

export const timelineQuery = z.object({
  ...commonQuery,
  tzOffset: read
    .integer('tzOffset', { min: -maxOffsetMinutes, max: maxOffsetMinutes, default: 0 })
    .describe('Minutes from local time to UTC, negative east of it.'),
})

export const reviewQuery = z.object(commonQuery)

const item = {
  id: z.string(),
  content: z.string(),
  type: z.string(),
  importance: z.number(),
  tags: z.string().nullable(),
  pinned: z.literal([0, 1]),
  who: z.string(),
  created_at: z.iso.datetime(),
}

export const usageRankingReply = z.object({
  memories: z.array(z.object({ ...item, access_count: z.int(), last_accessed: z.string() })),
})

export const reviewReply = z.object({
  count: z.int(),
  items: z.array(
    z.object({
      ...item,
      event: z.literal('REVIEW_NEEDED'),
      reasons: z.array(z.enum(['review_due', 'disputed', 'low_confidence'])).readonly(),
      confidence: z.number().nullable(),
      review_after: z.string().nullable(),
    }),
  ),
})

const namedCount = z.object({ name: z.string(), count: z.int() })

export const timelineReply = z.object({
  generatedAt: z.iso.datetime(),
  generatedFor: z.string(),
  rangePreset: z.literal('today-last_week-last_month'),
  totalMemories: z.int(),
  totalHistoryEvents: z.int(),
  invalidMemoryTimestamps: z.literal(0),
  invalidHistoryTimestamps: z.literal(0),
  buckets: z.array(
    z.object({
      rangeKey: z.enum(['today', 'last_week', 'last_month']),
      start: z.iso.datetime(),
      end: z.iso.datetime(),
      memories: z.int(),
      pinned: z.int(),
      averageImportance: z.number().nullable(),
      types: z.array(namedCount),
      historyEvents: z.int(),
      events: z.array(namedCount).readonly(),
    }),
  ),
})

export function toUsageRanking(used: readonly MemoryUsage[]): z.input<typeof usageRankingReply> {
  const memories = used.map(({ memory, accessCount, lastAccessed }) => ({
    ...toItem(memory),
    access_count: accessCount,
    last_accessed: lastAccessed,
  }))
  return { memories }
}

export function toReviewReply(queue: readonly ReviewItem[]): z.input<typeof reviewReply> {
  const items = queue.map(({ memory, reasons }) => ({
    ...toItem(memory),
    event: 'REVIEW_NEEDED' as const,
    reasons,
  }))
  return { count: items.length, items }
}

/** Requests validate times, so the invalid counts are always 0. */
export function toTimelineReply(
  generatedFor: string,
  { generatedAt, buckets }: Timeline,
): z.input<typeof timelineReply> {
  const wireBuckets = buckets.map(toBucket)
  const lastMonth = wireBuckets.at(-1)
  return {
    generatedAt,
    generatedFor,
    rangePreset: 'today-last_week-last_month',
    totalMemories: lastMonth?.memories ?? 0,
    totalHistoryEvents: lastMonth?.historyEvents ?? 0,
    invalidMemoryTimestamps: 0,
    invalidHistoryTimestamps: 0,
    buckets: wireBuckets,
  }
}

function toBucket({ typeCounts: types, eventCounts: events, ...range }: Bucket) {
  const memories = sumOf(types, 'count')
  const average = sumOf(types, 'importance') / memories
  return {
    ...range,
    memories,
    events,
    pinned: sumOf(types, 'pinned'),
    averageImportance: memories === 0 ? null : Math.round(average * 100) / 100,
    types: [...types],
    historyEvents: sumOf(events, 'count'),
  }
}

function sumOf<Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number {
  return rows.reduce((total, row) => total + row[name], 0)
}

function toItem(memory: Memory) {
  const pinned = memory.pinned ? (1 as const) : (0 as const)
  return { ...toSnakeKeys(memory), tags: toWireTags(memory), pinned }
}

export const duplicatesReply = z.object({
  exactClusters: z.int(),
  /** Memories above one in each cluster. */
  exactExcess: z.int(),
  totalActive: z.int(),
  /** The first 100 clusters. */
  duplicates: z.array(
    z.object({ contentHash: z.string(), count: z.int(), memoryIds: z.array(z.string()) }),
  ),
})
