import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const telemetrySettings = defineSettings(
  'telemetry',
  z
    .object({
      /** Whether it is counted what the service does. */
      enabled: z.boolean().default(true),
      /** Whether questions to the memory are kept with their answers. */
      memorySearchQaEnabled: z.boolean().default(false),
      /** For how long either is kept; at 0 it goes with the next sweep. */
      retentionDays: z.int().min(0).max(3650).default(90),
    })
    .prefault({}),
)
export type TelemetryConfig = z.output<typeof telemetrySettings.schema>
