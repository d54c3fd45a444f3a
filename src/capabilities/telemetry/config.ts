import { z } from 'zod'

export const telemetryConfig = z
  .object({
    /** Whether questions to the memory are kept with their answers. */
    memorySearchQaEnabled: z.boolean().default(false),
    /** For how long; what is kept goes with the next sweep at 0. */
    retentionDays: z.int().min(0).max(3650).default(90),
  })
  .prefault({})
export type TelemetryConfig = z.output<typeof telemetryConfig>
