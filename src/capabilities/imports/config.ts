import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** `imports` of `agent.yaml`. */
export const importsSettings = defineSettings(
  'imports',
  z
    .object({
      /** Bytes that uploads may reserve together; without a value only the free space counts. */
      maxReservedBytes: z.int().min(0).optional(),
      /** Bytes of the disk that remain free after a reservation. */
      minFreeBytes: z.int().min(0).default(1_073_741_824),
    })
    .prefault({}),
)
