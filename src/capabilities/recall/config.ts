import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** The default of `min_score` is higher when `alpha` is configured. */
const defaultMinScores = { default: 0.1, withAlpha: 0.3 } as const
const defaultAlpha = 0.7

/** `search` of `agent.yaml`; the names are the file's. */
export const searchSettings = defineSettings(
  'search',
  z
    .object({
      /** Maximum number of candidates of each search stage. */
      top_k: z.int().min(1).max(200).default(20),
      /** Weight of vector search against lexical search: 0 is lexical only, 1 is vector only. */
      alpha: z.number().min(0).max(1).optional(),
      /** Hits with a lower score are dropped. */
      min_score: z.number().min(0).max(1).optional(),
      /** Answers with a lower confidence are empty; 0 never is. */
      min_confidence: z.number().min(0).max(1).default(0.2),
      rehearsal_enabled: z.boolean().default(true),
      rehearsal_weight: z.number().min(0).default(0.1),
      rehearsal_half_life_days: z.number().positive().default(30),
      temporal_prior_enabled: z.boolean().default(true),
      temporal_prior_weight: z.number().min(0).default(0.15),
      temporal_prior_half_life_days: z.number().positive().default(14),
      /** Maximum share by which the agent's own ratings raise or lower a score. */
      feedback_weight: z.number().min(0).max(1).default(0.3),
      /** Penalize vector-only hits that share no term with the query. */
      dampening_enabled: z.boolean().default(true),
      /** Boost decisions, constraints and dated memories. */
      resolution_enabled: z.boolean().default(false),
      /** Factor of the scores of text from sources. */
      source_weight: z.number().min(0).max(1).default(0.9),
      /** Where the search index of a PostgreSQL database is; `auto` decides by its size. */
      index: z.enum(['auto', 'memory', 'server']).default('auto'),
    })
    .transform(({ alpha, min_score, ...settings }) => ({
      ...settings,
      alpha: alpha ?? defaultAlpha,
      min_score: min_score ?? defaultMinScores[alpha === undefined ? 'default' : 'withAlpha'],
    }))
    .prefault({}),
  { restart: ['index'] },
)
export type RecallConfig = z.output<typeof searchSettings.schema>

/** The parts of recall that call a model. Both are off by default. */
export const rerankerSettings = defineSettings(
  'memory.pipelineV2.reranker',
  z
    .object({
      /** Lets a model order the best results. */
      useExtractionModel: z.boolean().default(false),
      /** Results that the model sees. */
      topN: z.int().min(2).max(50).default(20),
      timeoutMs: z.int().min(100).max(60_000).default(2_000),
    })
    .prefault({}),
)
export const summaryCardSettings = defineSettings(
  'memory.pipelineV2.summaryCard',
  z
    .object({
      /** Adds a summary by a model to answers that have room. */
      enabled: z.boolean().default(false),
      timeoutMs: z.int().min(100).max(60_000).default(2_000),
    })
    .prefault({}),
)

export interface RecallModelConfig {
  readonly reranker: z.output<typeof rerankerSettings.schema>
  readonly summaryCard: z.output<typeof summaryCardSettings.schema>
}
