import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const telemetrySettings = defineSettings(
  'telemetry',
  z
    .object({
      /** Record usage events. */
      enabled: z.boolean().default(true),
      /** Record memory queries with their results. */
      memorySearchQaEnabled: z.boolean().default(false),
      /** Retention of both in days; at 0 the next sweep deletes them. */
      retentionDays: z.int().min(0).max(3650).default(90),
    })
    .prefault({}),
)
export type TelemetryConfig = z.output<typeof telemetrySettings.schema>
