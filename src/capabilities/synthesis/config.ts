import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const synthesisSettings = defineSettings(
  'synthesis',
  z
    .object({
      enabled: z.boolean().default(true),
      /** Milliseconds that one write may take. */
      timeout: z.int().min(1000).default(120_000),
      maxTokens: z.int().min(500).max(100_000).default(8000),
      /** Minutes without a session before the file is written. */
      idleGapMinutes: z.int().min(0).default(15),
    })
    .prefault({}),
)
export type SynthesisConfig = z.output<typeof synthesisSettings.schema>
