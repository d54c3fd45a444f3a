import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** The upper bound of `maxContentBytes`. */
export const maxContentLimit = 104_857_600

export const documentSettings = defineSettings(
  'memory.pipelineV2.documents',
  z
    .object({
      /** Maximum milliseconds until a document that another daemon queued is read. */
      workerIntervalMs: z.int().min(1_000).max(300_000).default(10_000),
      /** Maximum characters of a chunk. */
      chunkSize: z.int().min(200).max(50_000).default(2_000),
      /** Characters that a part of a long paragraph repeats of the part before it. */
      chunkOverlap: z.int().min(0).max(10_000).default(200),
      /** Maximum bytes of a document. */
      maxContentBytes: z.int().min(1_024).max(maxContentLimit).default(10_485_760),
    })
    .prefault({}),
  { restart: ['workerIntervalMs'] },
)
export type DocumentConfig = z.output<typeof documentSettings.schema>
