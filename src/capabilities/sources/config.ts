import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** `sources` of `agent.yaml`. */
export const sourcesSettings = defineSettings(
  'sources',
  z
    .object({
      /** Maximum chunks of all sources; files beyond are reported as failed. */
      maxChunks: z.int().min(1_000).max(5_000_000).default(500_000),
    })
    .prefault({}),
)
export type SourcesConfig = z.output<typeof sourcesSettings.schema>
