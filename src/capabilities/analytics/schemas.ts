import { z } from 'zod'
import { type PipelineStage, pipelineStages } from '../../kernel/events/pipeline-failure.ts'
import * as value from '../../kernel/http/wire-values.ts'

const stages = Object.keys(pipelineStages) as [PipelineStage, ...PipelineStage[]]

const count = z.int()

export const usageReply = z.object({
  endpoints: z.record(z.string(), z.object({ count, errors: count, totalLatencyMs: z.number() })),
  actors: z.record(
    z.string(),
    z.object({ requests: count, remembers: count, recalls: count, mutations: count }),
  ),
  providers: z.record(
    z.string(),
    z.object({ calls: count, failures: count, totalLatencyMs: z.number() }),
  ),
  connectors: z.record(
    z.string(),
    z.object({ syncs: count, errors: count, documentsProcessed: count }),
  ),
  startedAt: z.string(),
})

export const errorsQuery = z.object({
  stage: z.enum(stages, `stage must be one of ${stages.join(', ')}`).optional(),
  since: value.time('since'),
  limit: value.integer('limit', { min: 1, max: 500, default: 50 }),
})

const failureSummary = z.object({ total: count, byStage: z.record(z.string(), count) })
const failureList = z.array(
  z.object({
    at: z.string(),
    timestamp: z.string(),
    stage: z.string(),
    code: z.string(),
    message: z.string(),
    requestId: z.string().optional(),
    memoryId: z.string().optional(),
    actor: z.string().optional(),
  }),
)

export const errorsReply = z.object({ errors: failureList, summary: failureSummary })

const latencySummary = z.object({
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  count,
  mean: z.number(),
})

export const latencyReply = z.object({
  remember: latencySummary,
  recall: latencySummary,
  mutate: latencySummary,
  jobs: latencySummary,
})

/** Figures over all agents, for the status of the pipeline. */
export const measurements = z.object({
  latency: latencyReply.omit({ jobs: true }),
  errorSummary: failureSummary.extend({ recent: failureList }),
})

export const memorySafetyReply = z.object({
  /** The domain `mutation` of the diagnostics. */
  mutation: z.looseObject({ score: z.number().optional(), status: z.string().optional() }),
  recentErrors: failureList,
  errorSummary: failureSummary,
})
