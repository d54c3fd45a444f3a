import { z } from 'zod'

/** A Markdown or YAML file at the workspace root. */
export const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}\.(md|yaml)$/

export const filesReply = z.object({
  files: z.array(
    z.object({
      name: z.string(),
      /** Empty for a file above the size limit. */
      content: z.string(),
      /** Bytes. */
      size: z.int(),
    }),
  ),
})
export const saveBody = z.object({
  file: z.string('file is required').meta({ pattern: plainName.source }),
  content: z.string('content is required'),
  dryRun: z.boolean().optional().describe('Check the file and return the reply, but save nothing.'),
})
export const savedReply = z.object({
  success: z.literal(true),
  /** Settings that take effect on restart. */
  waitingForRestart: z.array(z.string()).readonly().optional(),
  /** Keys that are not settings and have no effect. */
  unknownSettings: z
    .array(z.object({ key: z.string(), nearest: z.string().nullable() }))
    .readonly()
    .optional(),
})
export const featuresReply = z.record(z.string(), z.boolean())
export const identityReply = z.object({ name: z.string(), creature: z.string(), vibe: z.string() })
export const backupBody = z.object({
  file: z.string().meta({ pattern: '^(/|[A-Za-z]:)[^\\u0000]*\\.(tar\\.gz|tgz)$' }).optional(),
})
export const backupReply = z.object({
  file: z.string(),
  bytes: z.int(),
  /** Number of files without the manifest. */
  files: z.int(),
  sha256: z.string(),
})
