import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** Overrides of one harness. Unknown keys and sections yield a warning. */
const contextProfile = z.looseObject({
  /** Workspace files in their order. Default: the four known files. */
  files: z
    .array(z.string().regex(/^[\w-][\w.-]{0,99}\.md$/i))
    .max(20)
    .optional(),
  /** Default: all. */
  sections: z.array(z.string()).optional(),
  maxInjectTokens: z.int().min(100).max(200_000).optional(),
})

export const hooksSettings = defineSettings(
  'hooks',
  z
    .object({
      /** Profiles by name. */
      contextProfiles: z.record(z.string(), contextProfile).default({}),
      /** Profile name by harness name. */
      harnessProfiles: z.record(z.string(), z.string()).default({}),
      /** The profile of all other harnesses. Default: none. */
      defaultContextProfile: z.string().optional(),
      sessionStart: z
        .object({
          /** Injected memories, and candidates from which they are selected. */
          recallLimit: z.int().min(0).max(200).default(50),
          candidatePoolLimit: z.int().min(1).max(500).default(100),
          includeIdentity: z.boolean().default(true),
          includeRecentContext: z.boolean().default(true),
          /** Decay by age: 0 for none, 0.7 for 5 % a day. */
          recencyBias: z.number().min(0).max(2).default(0.7),
          /** Tokens of four characters. */
          maxInjectTokens: z.int().min(100).max(200_000).default(12_000),
          /** The older setting of the same limit, in characters. It takes precedence. */
          maxInjectChars: z.int().min(400).max(800_000).optional(),
          /** Characters of all memories together. */
          maxMemoriesChars: z.int().min(0).max(200_000).default(2000),
          maxMemoryChars: z.int().min(20).max(10_000).default(500),
        })
        .prefault({}),
      userPromptSubmit: z
        .object({
          enabled: z.boolean().default(true),
          /** Lines of a reply, eight at most. */
          recallLimit: z.int().min(0).max(50).default(10),
          maxInjectChars: z.int().min(0).max(20_000).default(500),
          /** Minimum score of an attribute. */
          minScore: z.number().min(0).max(1).default(0.8),
        })
        .prefault({}),
      preCompaction: z
        .object({
          /** Default: the built-in guidelines. */
          summaryGuidelines: z.string().optional(),
          includeRecentMemories: z.boolean().default(true),
          memoryLimit: z.int().min(0).max(50).default(5),
          /** Characters of a summary. */
          maxSummaryChars: z.int().min(100).max(1_000_000).optional(),
        })
        .prefault({}),
    })
    .prefault({}),
)
export type HooksConfig = z.output<typeof hooksSettings.schema>

/** The name of the agent if `IDENTITY.md` has none. */
export const agentSettings = defineSettings(
  'agent',
  z.looseObject({ name: z.string().optional() }).prefault({}),
)
export type AgentConfig = z.output<typeof agentSettings.schema>
