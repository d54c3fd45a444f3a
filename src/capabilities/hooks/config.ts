import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** What one harness is told otherwise; a key or section that nobody knows is warned of, not refused. */
const contextProfile = z.looseObject({
  /** Of the workspace, in the order in which they are told; the usual four unless said. */
  files: z
    .array(z.string().regex(/^[\w-][\w.-]{0,99}\.md$/i))
    .max(20)
    .optional(),
  /** All unless said. */
  sections: z.array(z.string()).optional(),
  maxInjectTokens: z.int().min(100).max(200_000).optional(),
})

export const hooksSettings = defineSettings(
  'hooks',
  z
    .object({
      /** By name. */
      contextProfiles: z.record(z.string(), contextProfile).default({}),
      /** The name of a profile by that of a harness. */
      harnessProfiles: z.record(z.string(), z.string()).default({}),
      /** For those that are not named; none unless said. */
      defaultContextProfile: z.string().optional(),
      sessionStart: z
        .object({
          /** How many memories a session is told, of how many that are weighed. */
          recallLimit: z.int().min(0).max(200).default(50),
          candidatePoolLimit: z.int().min(1).max(500).default(100),
          includeIdentity: z.boolean().default(true),
          includeRecentContext: z.boolean().default(true),
          /** How much age takes from the worth of a memory: 0 for nothing, 0.7 for a twentieth a day. */
          recencyBias: z.number().min(0).max(2).default(0.7),
          /** Tokens of four characters. */
          maxInjectTokens: z.int().min(100).max(200_000).default(12_000),
          /** The older name of the same, in characters. */
          maxInjectChars: z.int().min(400).max(800_000).optional(),
          maxMemoryChars: z.int().min(20).max(10_000).default(500),
        })
        .prefault({}),
      userPromptSubmit: z
        .object({
          enabled: z.boolean().default(true),
          /** How many lines are told; never more than eight. */
          recallLimit: z.int().min(0).max(50).default(10),
          maxInjectChars: z.int().min(0).max(20_000).default(500),
          /** What an attribute must score to be told. */
          minScore: z.number().min(0).max(1).default(0.8),
        })
        .prefault({}),
      preCompaction: z
        .object({
          /** The usual ones unless said otherwise. */
          summaryGuidelines: z.string().optional(),
          includeRecentMemories: z.boolean().default(true),
          memoryLimit: z.int().min(0).max(50).default(5),
          /** How long a summary is asked to be at most. */
          maxSummaryChars: z.int().min(100).max(1_000_000).optional(),
        })
        .prefault({}),
    })
    .prefault({}),
)
export type HooksConfig = z.output<typeof hooksSettings.schema>

/** What the workspace calls its agent where `IDENTITY.md` says nothing. */
export const agentSettings = defineSettings(
  'agent',
  z.looseObject({ name: z.string().optional() }).prefault({}),
)
export type AgentConfig = z.output<typeof agentSettings.schema>
