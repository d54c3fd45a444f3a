import { join } from 'node:path'
import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const transcriptsSettings = defineSettings(
  'transcripts',
  z
    .object({
      /** The one folder from which transcripts are read that a harness names by their path. */
      stagingFolder: z.string().min(1).default(join('/tmp', 'svc')),
      /** How often the files of an ended session are tried to be written. */
      captureAttempts: z.int().min(1).max(20).default(5),
    })
    .prefault({}),
)

export type TranscriptsConfig = z.output<typeof transcriptsSettings.schema>
