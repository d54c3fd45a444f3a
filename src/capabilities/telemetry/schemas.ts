import { z } from 'zod'
import { Stream, toNdjson } from '../../kernel/http/stream.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { ListRequest } from './list.ts'
import { type Search, topScoreOf } from './search.ts'
import type { HourlyFigures, Stats } from './stats.ts'
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
export const statsQuery = z.object({
  since,
  hours: value
    .integer('hours', { min: 1, max: 168, default: undefined })
    .describe('Also counts recalls and captures of each of the last hours.'),
})

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

export const healthReply = z.object({
  enabled: z.boolean(),
  buffered: z.int(),
  /** Events lost since the start. */
  dropped: z.int(),
  lastFlushAt: z.string().nullable(),
  retentionDays: z.int(),
  /** The file of the events; it exists once one is written. */
  openLog: z.string(),
  qaEnabled: z.boolean(),
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
    hours: z
      .array(
        z.object({
          at: z.iso.datetime(),
          recalls: z.int(),
          found: z.int().describe('Recalls with a result.'),
          captures: z.int().describe('Sessions that ended.'),
        }),
      )
      .optional()
      .describe('With `hours`: one entry for each hour, oldest first.'),
  }),
  z.object({ enabled: z.literal(false) }),
])

export function toEvents(
  events: readonly TelemetryEvent[] | undefined,
): z.input<typeof eventsReply> {
  return { events: [...(events ?? [])], enabled: events !== undefined }
}

export function toStatsReply(
  stats: (Stats & { readonly hours?: HourlyFigures[] }) | undefined,
): z.input<typeof statsReply> {
  return stats ? { enabled: true, ...stats } : { enabled: false }
}

function createSearchesQuery(limits: { readonly max: number; readonly default: number }) {
  return z
    .object({
      agentId: value.text,
      agent_id: value.text,
      sessionKey: value.text,
      session_key: value.text,
      route: value.text,
      since: value.time('since'),
      until: value.time('until'),
      noHits: value.flag,
      no_hits: value.flag,
      limit: value.integer('limit', { min: 1, ...limits }),
      offset: value.integer('offset', { min: 0, max: 1_000_000, default: 0 }),
    })
    .transform(({ agent_id, session_key, no_hits, ...query }) => ({
      ...query,
      agentId: query.agentId ?? agent_id,
      sessionKey: query.sessionKey ?? session_key,
      noHits: query.noHits ?? no_hits,
    }))
}

export const searchesQuery = createSearchesQuery({ max: 500, default: 100 })
export const searchesExportQuery = createSearchesQuery({ max: 10_000, default: 1000 })

/** Without an agent name, all visible agents are listed. */
export function toRequest({ query: { agentId, ...query }, headers }: Listing): ListRequest {
  const named = agentId ?? value.text.parse(headers['x-svc-agent-id'])
  return { ...query, isNamed: named !== undefined }
}

interface Listing {
  readonly query: z.output<typeof searchesQuery>
  readonly headers: Readonly<Record<string, unknown>>
}

const item = z.object({
  id: z.string(),
  created_at: z.string(),
  route: z.string(),
  agent_id: z.string(),
  session_key: z.string().nullable(),
  project: z.string().nullable(),
  query: z.string(),
  keyword_query: z.string().nullable(),
  method: z.string(),
  filters: z.record(z.string(), z.unknown()),
  result_count: z.int(),
  top_score: z.number().nullable(),
  no_hits: z.boolean(),
  duration_ms: z.number(),
  timings: z.object({
    totalMs: z.number(),
    stages: z.array(z.object({ name: z.string(), durationMs: z.number() })).readonly(),
  }),
  results: z.array(
    z.object({
      rank: z.int(),
      id: z.string(),
      score: z.number(),
      source: z.string(),
      content: z.string(),
      content_length: z.int(),
      truncated: z.boolean(),
      forgotten: z.literal(true).optional(),
    }),
  ),
})

export const searchesReply = z.object({ items: z.array(item), count: z.int() })

/** Streams the list, because 500 searches with results are too large to buffer. */
export function toSearchesReply(pages: AsyncIterable<readonly Search[]>): Stream {
  const pieces = async function* () {
    let count = 0
    yield '{"items":['
    for await (const searches of pages) {
      const items = searches.map((search) => JSON.stringify(toItem(search))).join()
      yield count > 0 && searches.length > 0 ? `,${items}` : items
      count += searches.length
    }
    yield `],"count":${count}}`
  }
  return new Stream({ contentType: 'application/json; charset=utf-8', chunks: pieces() })
}

/** One JSON object a line. */
export function toLines<Row>(pages: AsyncIterable<readonly Row[]>, toLine: (row: Row) => unknown) {
  const lines = async function* () {
    for await (const page of pages) yield* page.map(toLine)
  }
  return toNdjson(lines())
}

export function toItem({ stages, results, ...search }: Search): z.input<typeof item> {
  return {
    ...value.toWireNames(search),
    result_count: results.length,
    top_score: topScoreOf(results),
    no_hits: results.length === 0,
    timings: { totalMs: search.durationMs, stages },
    results: results.map(({ itemId: id, memoryId: _, content, ...result }) => ({
      ...value.toWireNames(result),
      id,
      content: content ?? '',
      ...(content === null && { forgotten: true as const }),
    })),
  }
}
