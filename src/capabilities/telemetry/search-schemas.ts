import { z } from 'zod'
import { Stream, toNdjson } from '../../kernel/http/stream.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { ListRequest } from './list.ts'
import { type Search, topScoreOf } from './search.ts'

function searchesQuery(limits: { readonly max: number; readonly default: number }) {
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
    .transform((query) => {
      const { route, since, until, limit, offset } = query
      return {
        route,
        since,
        until,
        limit,
        offset,
        agentId: query.agentId ?? query.agent_id,
        sessionKey: query.sessionKey ?? query.session_key,
        noHits: query.noHits ?? query.no_hits,
      }
    })
}

export const listQuery = searchesQuery({ max: 500, default: 100 })
export const exportQuery = searchesQuery({ max: 10_000, default: 1000 })

type ListQuery = z.output<ReturnType<typeof searchesQuery>>

/** Without an agent name, all visible agents are listed. */
export function toRequest({ query: { agentId, ...query }, headers }: Listing): ListRequest {
  const named = agentId ?? value.text.parse(headers['x-svc-agent-id'])
  return { ...query, isNamed: named !== undefined }
}

interface Listing {
  readonly query: ListQuery
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

export const listReply = z.object({ items: z.array(item), count: z.int() })

type Pages = AsyncIterable<readonly Search[]>

/** Streams the list, because 500 searches with results are too large to buffer. */
export function toListed(pages: Pages): Stream {
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
  return new Stream({ contentType: 'application/json; charset=utf-8', pieces: pieces() })
}

/** One JSON object a line. */
export function toExported(pages: Pages): Stream {
  const items = async function* () {
    for await (const searches of pages) yield* searches.map(toItem)
  }
  return toNdjson(items())
}

function toItem(search: Search): z.input<typeof item> {
  const { id, route, project, query, method, filters, results, durationMs } = search
  return {
    id,
    created_at: search.createdAt,
    route,
    agent_id: search.agentId,
    session_key: search.sessionKey,
    project,
    query,
    keyword_query: search.keywordQuery,
    method,
    filters,
    result_count: results.length,
    top_score: topScoreOf(results),
    no_hits: results.length === 0,
    duration_ms: durationMs,
    timings: { totalMs: durationMs, stages: search.stages },
    results: results.map(({ rank, itemId, score, source, content, contentLength, truncated }) => ({
      rank,
      id: itemId,
      score,
      source,
      content: content ?? '',
      content_length: contentLength,
      truncated,
      ...(content === null && { forgotten: true as const }),
    })),
  }
}
