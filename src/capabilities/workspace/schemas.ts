import { z } from 'zod'
import { plainName } from './files.ts'

export const filesReply = z.object({
  files: z.array(z.object({ name: z.string(), content: z.string(), size: z.int() })),
})
export const saveBody = z.object({
  file: z.string('file is required').meta({ pattern: plainName.source }),
  content: z.string('content is required'),
  dryRun: z.boolean().optional().describe('Check the file and return the reply, but save nothing.'),
})
export const savedReply = z.object({
  success: z.literal(true),
  waitingForRestart: z.array(z.string()).readonly().optional(),
  unknownSettings: z
    .array(z.object({ key: z.string(), nearest: z.string().nullable() }))
    .readonly()
    .optional(),
})
export const featuresReply = z.record(z.string(), z.boolean())
export const identityReply = z.object({ name: z.string(), creature: z.string(), vibe: z.string() })
export const backupBody = z.object({
  file: z.string().meta({ pattern: '^(/|[A-Za-z]:)[^\\0]*\\.(tar\\.gz|tgz)$' }).optional(),
})
export const backupReply = z.object({
  file: z.string(),
  bytes: z.int(),
  files: z.int(),
  sha256: z.string(),
})
