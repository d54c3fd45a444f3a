import { z } from 'zod'
import { type Stream, toNdjson } from '../../kernel/http/stream.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { Stats } from './stats.ts'
import type { TelemetryEvent } from './store/rows.ts'

const since = value.time('since')

export const eventsQuery = z.object({
  event: value.text,
  since,
  until: value.time('until'),
  limit: value.integer('limit', { min: 1, max: 1000, default: 100 }),
})
export const exportQuery = z.object({
  since,
  limit: value.integer('limit', { min: 1, max: 100_000, default: 10_000 }),
})
export const statsQuery = z.object({ since })

export const eventsReply = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      event: z.string(),
      timestamp: z.string(),
      properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
  ),
  enabled: z.boolean(),
})

const quantiles = { p50: z.number(), p95: z.number() }
const tokenCounts = {
  tokensInput: z.number(),
  tokensOutput: z.number(),
  tokensCacheRead: z.number(),
  tokensCacheWrite: z.number(),
  cost: z.number(),
}
const counts = z.record(z.string(), z.int())

export const statsReply = z.union([
  z.object({
    enabled: z.literal(true),
    totalEvents: z.int(),
    llm: z.object({
      calls: z.int(),
      errors: z.int(),
      totalInputTokens: z.number(),
      totalOutputTokens: z.number(),
      totalCost: z.number(),
      ...quantiles,
    }),
    embedding: z.object({
      calls: z.int(),
      totalTokens: z.number(),
      cost: z.number(),
      bySource: z.array(z.object({ source: z.string(), tokens: z.number(), cost: z.number() })),
    }),
    dreaming: z.object({ calls: z.int(), ...tokenCounts }),
    sessions: z.object({ ended: z.int(), ...tokenCounts }),
    inference: z.object({
      routes: z.int(),
      executes: z.int(),
      streams: z.int(),
      errors: z.int(),
      cancelled: z.int(),
      fallbacks: z.int(),
      ...quantiles,
    }),
    recall: z.object({
      calls: z.int(),
      ...quantiles,
      byType: z.array(z.object({ type: z.string(), calls: z.int() })),
    }),
    pipelineErrors: z.int(),
    pipelineErrorsByStage: counts,
    pipelineErrorsByCode: counts,
  }),
  z.object({ enabled: z.literal(false) }),
])

export function toEvents(
  events: readonly TelemetryEvent[] | undefined,
): z.input<typeof eventsReply> {
  return { events: [...(events ?? [])], enabled: events !== undefined }
}

export function toStatsReply(stats: Stats | undefined): z.input<typeof statsReply> {
  return stats ? { enabled: true, ...stats } : { enabled: false }
}

/** One JSON object a line. */
export function toExported(pages: AsyncIterable<readonly TelemetryEvent[]>): Stream {
  const events = async function* () {
    for await (const page of pages) yield* page
  }
  return toNdjson(events())
}
