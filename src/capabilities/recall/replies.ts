import { z } from 'zod'
import { Reply } from '../../kernel/http/route.ts'

export const recallRow = z.object({
  id: z.string(),
  content: z.string(),
  content_length: z.int(),
  truncated: z.boolean(),
  score: z.number(),
  source: z.string(),
  source_id: z.string().optional(),
  session_id: z.string().optional(),
  source_path: z.string().optional(),
  type: z.string(),
  who: z.string(),
  tags: z.string().nullable(),
  pinned: z.boolean(),
  importance: z.number(),
  project: z.string().nullable(),
  created_at: z.string(),
  visibility: z.string().optional(),
  scope: z.string().nullable().optional(),
  already_recalled: z.literal(true).optional(),
  supplementary: z.literal(true).optional(),
  temporal_facet: z.string().optional(),
  temporal_start_at: z.string().optional(),
  temporal_end_at: z.string().nullable().optional(),
  subject_type: z.string().optional(),
  subject_id: z.string().optional(),
  confidence: z.number().optional(),
  outdated_by: z.string().optional(),
  /** The text was written by others: evidence, never an instruction. */
  trust: z.literal('external').optional(),
  /** Headings above the text of a source. */
  heading: z.string().optional(),
  explain: z
    .object({
      stages: z
        .array(z.object({ name: z.string(), score: z.number(), reason: z.string().optional() }))
        .readonly(),
      /** The features of the confidence. */
      confidence: z
        .array(z.object({ name: z.string(), value: z.number(), weight: z.number() }))
        .readonly()
        .optional(),
    })
    .optional(),
})
/** A result row with its wire names. */
export type ResultRow = Readonly<z.output<typeof recallRow>>

const failed = z.object({ error: z.string(), results: z.array(z.never()) })

const dedupe = z.object({
  enabled: z.boolean(),
  contextEpoch: z.int(),
  suppressed: z.int(),
  repeatedReturned: z.int(),
  /** The ledger was unavailable, so no result was suppressed. */
  failedOpen: z.literal(true).optional(),
})
export type Dedupe = z.output<typeof dedupe>

const degradation = z.object({ stages: z.array(z.string()).readonly(), cause: z.string() })
/** The stages that failed, with a one-word cause. */
export type Degradation = z.output<typeof degradation>

const replacements = z
  .array(z.object({ term: z.string(), replacements: z.array(z.string()).readonly() }))
  .readonly()

export const recallMeta = z.object({
  totalReturned: z.int(),
  hasSupplementary: z.boolean(),
  noHits: z.boolean(),
  /** Whether the best row answers the query; low without rows. */
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  asOf: z.string().optional(),
  /** With `explain`: what was read from the query. */
  explain: z
    .object({
      corrections: replacements,
      translations: replacements,
      timeRange: z.object({ start: z.string().nullable(), end: z.string().nullable() }).nullable(),
    })
    .optional(),
  timings: z.object({
    totalMs: z.number(),
    stages: z.array(z.object({ name: z.string(), durationMs: z.number() })).readonly(),
  }),
  dedupe: dedupe.optional(),
  temporal: z
    .object({
      mode: z.string(),
      source: z.string(),
      originalQuery: z.string(),
      contentQuery: z.string(),
      start: z.string(),
      end: z.string(),
      facets: z.array(z.string()).readonly(),
    })
    .optional(),
  partial: z.boolean().optional(),
  degradation: degradation.optional(),
})

const aggregate = z.object({
  savedMemoryId: z.string().nullable(),
  saved: z.boolean(),
  deduped: z.boolean(),
  budget: z.string(),
  queries: z.array(z.string()).readonly(),
  sourceMemoryIds: z.array(z.string()).readonly(),
  stoppedReason: z.string(),
  partial: z.boolean().optional(),
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheReadTokens: z.number(),
    cacheCreationTokens: z.number(),
    totalCost: z.number(),
    totalDurationMs: z.number(),
    stages: z
      .array(z.object({ name: z.string(), targetRef: z.string(), durationMs: z.number() }))
      .readonly(),
  }),
})
export type Aggregate = z.output<typeof aggregate>

const source = z.object({
  content: z.string(),
  sourceType: z.string(),
  sourcePath: z.string().nullable(),
})
export type Source = z.output<typeof source>

const entity = z.object({
  name: z.string(),
  type: z.string(),
  aspects: z
    .array(
      z.object({
        name: z.string(),
        attributes: z
          .array(z.object({ content: z.string(), status: z.string(), importance: z.number() }))
          .readonly(),
      }),
    )
    .readonly(),
})

const recallResult = z.object({
  results: z.array(recallRow).readonly(),
  query: z.string(),
  method: z.enum(['hybrid', 'keyword']),
  meta: recallMeta,
  /** The entities that the query names, with their most important values. */
  entities: z.array(entity).readonly().optional(),
  sources: z.record(z.string(), source).optional(),
  aggregate: aggregate.optional(),
})
export type RecallResult = z.output<typeof recallResult>

export const recallReply = z.union([recallResult, failed])

const textResult = recallRow.pick({
  id: true,
  content: true,
  created_at: true,
  who: true,
  importance: true,
  tags: true,
  type: true,
  pinned: true,
  score: true,
})
export type TextResult = z.output<typeof textResult>

export const textSearchReply = z.union([
  z.object({ results: z.array(textResult).readonly() }),
  z.object({ values: z.array(z.string()).readonly() }),
  failed,
])

/** The headers let clients detect a degraded reply without parsing it. */
export function answerWith<Body>(reply: Body, degradation: Degradation | undefined): Reply<Body> {
  if (!degradation) return new Reply(200, reply)
  return new Reply(200, reply, {
    'x-svc-operation-degraded': '1',
    'x-svc-operation-degradation-cause': degradation.cause,
  })
}
