import { z } from 'zod'
import type { MemoryConfig } from '../memory/index.ts'

export const sessionsConfig = z
  .object({
    /** How long a claim holds that nobody renews. */
    claimTtlMs: z.int().min(1000).default(14_400_000),
    /** How often sessions are looked for that never said their end. */
    sweepIntervalMs: z.int().min(1000).default(900_000),
    /** How many of them one look closes. */
    closeAtOnce: z.int().min(1).max(50).default(10),
  })
  .prefault({})
export type SessionsConfig = z.output<typeof sessionsConfig>

/** What is kept of a session that goes on: `continuity` of the memory pipeline. */
export type ContinuityConfig = MemoryConfig['pipelineV2']['continuity']
