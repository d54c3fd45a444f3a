import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const sessionsSettings = defineSettings(
  'sessions',
  z
    .object({
      /** Milliseconds until a claim expires without renewal. */
      claimTtlMs: z.int().min(1000).default(14_400_000),
      /** Milliseconds between two sweeps of expired sessions. */
      sweepIntervalMs: z.int().min(1000).default(900_000),
      /** Maximum expired claims, and maximum silent sessions, that one sweep closes. */
      sweepBatchSize: z.int().min(1).max(50).default(10),
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
      /** A checkpoint is due after this many prompts or this time, whichever is first. */
      promptInterval: z.int().min(1).default(10),
      timeIntervalMs: z.int().min(1000).default(900_000),
      maxCheckpointsPerSession: z.int().min(1).max(1000).default(50),
      retentionDays: z.int().min(1).max(3650).default(7),
      /** Characters of the last checkpoint in the start context. */
      recoveryBudgetChars: z.int().min(0).default(2000),
    })
    .prefault({}),
)
export type ContinuityConfig = z.output<typeof continuitySettings.schema>
