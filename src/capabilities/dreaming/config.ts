import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

const budget = z
  .object({
    /** Model calls of one pass. */
    callsPerPass: z.int().min(1).max(200).default(24),
    toolCallsPerPass: z.int().min(1).max(1_000).default(60),
    /** Operations of one pass; it limits the rules too. */
    writesPerPass: z.int().min(1).max(1_000).default(200),
    /** USD. */
    costPerPass: z.number().min(0).max(1_000).default(0.25),
    /** USD in 24 hours, of all agents of the workspace. */
    costPerDay: z.number().min(0).max(10_000).default(1),
    /** Tokens in 24 hours, of all agents of the workspace. */
    tokensPerDay: z.int().min(0).max(1_000_000_000).default(500_000),
  })
  .prefault({})

export const dreamingSettings = defineSettings(
  'memory.dreaming',
  z
    .object({
      enabled: z.boolean().default(false),
      engine: z.enum(['auto', 'rules', 'model']).default('auto'),
      /** `review`: a pass stops at its plan, which a person applies. */
      apply: z.enum(['auto', 'review']).default('auto'),
      /** The name of the person who writes the user lines of transcripts. */
      user: z.string().max(200).optional(),
      /** Milliseconds between the first new evidence and the check whether a pass is due. */
      tickMs: z.int().min(1_000).max(3_600_000).default(300_000),
      /** Milliseconds after which any backlog starts a pass. */
      maxInterval: z.int().min(300_000).max(604_800_000).default(21_600_000),
      /** Tokens of new evidence that start a pass with a model. */
      tokenThreshold: z.int().min(10_000).max(1_000_000).default(100_000),
      rules: z
        .object({
          /** Tokens of new evidence that start a pass without a model. */
          tokenThreshold: z.int().min(1).max(1_000_000).default(4_000),
        })
        .prefault({}),
      backfillOnFirstRun: z.boolean().default(true),
      maxInputTokens: z.int().min(8_000).max(1_000_000).default(128_000),
      maxOutputTokens: z.int().min(1_000).max(128_000).default(16_000),
      /** Milliseconds of one pass. */
      timeout: z.int().min(30_000).max(1_800_000).default(300_000),
      budget,
      pages: z.boolean().default(true),
      mcp: z.boolean().default(false),
    })
    .prefault({}),
)
export type DreamingConfig = z.output<typeof dreamingSettings.schema>
