import { join } from 'node:path'
import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const transcriptsSettings = defineSettings(
  'transcripts',
  z
    .object({
      /** The folder from which transcripts are read by path. Default: `svc` in the system's `tmp`. */
      stagingFolder: z.string().min(1).default(join('/tmp', 'svc')),
      /** Attempts to write the files of an ended session. Default 5. */
      captureAttempts: z.int().min(1).max(20).default(5),
      /** Whether a model rewrites the texts of arcs and epochs. */
      condense: z
        .object({
          enabled: z.boolean().default(false),
          timeoutMs: z.int().min(1_000).max(600_000).default(60_000),
        })
        .prefault({}),
    })
    .prefault({}),
)

export type TranscriptsConfig = z.output<typeof transcriptsSettings.schema>
