import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** What is no answer scores less; whoever weighs words against meaning asks for more. */
const leastScores = { usual: 0.1, weighed: 0.3 } as const
const usualAlpha = 0.7

/** `search` of `agent.yaml`; the names are the file's. */
export const searchSettings = defineSettings(
  'search',
  z
    .object({
      /** Candidates that each stage may bring. */
      top_k: z.int().min(1).max(200).default(20),
      /** How much meaning counts against words: 0 is words alone, 1 is meaning alone. */
      alpha: z.number().min(0).max(1).optional(),
      /** What scores less is no answer. */
      min_score: z.number().min(0).max(1).optional(),
      rehearsal_enabled: z.boolean().default(true),
      rehearsal_weight: z.number().min(0).default(0.1),
      rehearsal_half_life_days: z.number().positive().default(30),
      temporal_prior_enabled: z.boolean().default(true),
      temporal_prior_weight: z.number().min(0).default(0.15),
      temporal_prior_half_life_days: z.number().positive().default(14),
      /** What an agent's own opinions of a memory add or take away at most. */
      feedback_weight: z.number().min(0).max(1).default(0.3),
      /** Whether what resembles a question without sharing a word with it counts less. */
      dampening_enabled: z.boolean().default(true),
      /** Whether decisions, constraints and what tells a date count more. */
      resolution_enabled: z.boolean().default(false),
    })
    .transform(({ alpha, min_score, ...settings }) => ({
      ...settings,
      alpha: alpha ?? usualAlpha,
      min_score: min_score ?? leastScores[alpha === undefined ? 'usual' : 'weighed'],
    }))
    .prefault({}),
)
export type RecallConfig = z.output<typeof searchSettings.schema>
