import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** How recall and hooks read the graph. */
export const traversalSettings = defineSettings(
  'memory.pipelineV2.traversal',
  z
    .object({
      enabled: z.boolean().default(true),
      /** Levels of links from the entities of a question. */
      maxDependencyHops: z.int().min(0).max(20).default(10),
      /** Weaker links are not followed. */
      minDependencyStrength: z.number().min(0).max(1).default(0.3),
      /** Links that are followed from one entity. */
      maxBranching: z.int().min(1).max(50).default(4),
      maxTraversalPaths: z.int().min(1).max(500).default(50),
      timeoutMs: z.int().min(10).max(10_000).default(500),
      /** Characters of constraints at the start of a session. */
      constraintBudgetChars: z.int().min(0).max(10_000).default(1_000),
    })
    .prefault({}),
)

export interface KnowledgeConfig {
  readonly traversal: z.output<typeof traversalSettings.schema>
}
