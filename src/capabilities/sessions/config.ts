import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const sessionsSettings = defineSettings(
  'sessions',
  z
    .object({
      /** How long a claim holds that nobody renews. */
      claimTtlMs: z.int().min(1000).default(14_400_000),
      /** How often sessions are looked for that never said their end. */
      sweepIntervalMs: z.int().min(1000).default(900_000),
      /** How many of them one look closes. */
      closeAtOnce: z.int().min(1).max(50).default(10),
    })
    .prefault({}),
  { restart: ['sweepIntervalMs'] },
)
export type SessionsConfig = z.output<typeof sessionsSettings.schema>

/** Session checkpoints for recovery. */
export const continuitySettings = defineSettings(
  'memory.pipelineV2.continuity',
  z
    .object({
      enabled: z.boolean().default(true),
      /** A checkpoint is written after so many prompts, or so long after the last one. */
      promptInterval: z.int().min(1).default(10),
      timeIntervalMs: z.int().min(1000).default(900_000),
      maxCheckpointsPerSession: z.int().min(1).max(1000).default(50),
      retentionDays: z.int().min(1).max(3650).default(7),
      /** Characters that a session is told of its last checkpoint when it goes on. */
      recoveryBudgetChars: z.int().min(0).default(2000),
    })
    .prefault({}),
)
export type ContinuityConfig = z.output<typeof continuitySettings.schema>
