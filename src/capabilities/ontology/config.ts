import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const knowledgeSettings = defineSettings(
  'knowledge',
  z
    .object({
      /** Days in which an applied operation can be undone. */
      undoDays: z.int().min(1).max(365).default(30),
    })
    .prefault({}),
)
export type KnowledgeConfig = z.output<typeof knowledgeSettings.schema>
