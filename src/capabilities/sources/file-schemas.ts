import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'

const fileExtraction = z.object({
  documentEntityId: z.string().nullable(),
  aspectsCreated: z.number(),
  attributesCreated: z.number(),
})

export const importReply = z.object({
  imported: z.number(),
  failed: z.number(),
  files: z
    .array(
      z.union([
        z.object({ fileName: z.string(), status: z.literal('failed'), error: z.string() }),
        z.object({
          fileName: z.string(),
          status: z.enum(['imported', 'duplicate']),
          sourceId: z.string(),
          format: z.string().optional(),
          duplicate: z.boolean(),
          extraction: fileExtraction,
        }),
      ]),
    )
    .readonly(),
})

export const pickBody = z.object({
  title: z.string().max(200).optional().describe('The title of the dialog.'),
})
export const pickedFolder = z.object({ path: z.string().nullable() })
export const pickedFiles = z.object({ paths: z.array(z.string()) })

export const snapshotQuery = z.object({
  agentId: value.ignored,
  agent_id: value.ignored,
  includeLocalChat: value.flag.describe('`true` includes direct messages of a desktop client.'),
})

export const snapshotArtifact = z.object({
  sourcePath: z.string().min(1).max(4_096),
  sourceSha256: z.string(),
  sourceKind: z.string().max(200),
  sessionId: z.string().nullable(),
  sessionKey: z.string().nullable(),
  sessionToken: z.string().nullable(),
  project: z.string().nullable(),
  harness: z.string().nullable(),
  capturedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  manifestPath: z.string().nullable(),
  sourceNodeId: z.string().nullable(),
  memorySentence: z.string().nullable(),
  memorySentenceQuality: z.string().nullable(),
  content: z.string(),
  updatedAt: z.string(),
  sourceMtimeMs: z.number().nullable(),
  sourceId: z.string(),
  sourceRoot: z.string().nullable(),
  sourceExternalId: z.string().nullable(),
  sourceParentPath: z.string().nullable(),
  sourceMetaJson: z.string().nullable(),
})

export const snapshotBody = z.object({
  version: z.literal(1, 'version must be 1').describe('The version of the format.'),
  source: z
    .object({ id: z.string(), kind: z.string() })
    .describe('The source; it must be the one of the path.'),
  artifacts: z.array(snapshotArtifact).max(500_000).describe('As an export has them.'),
  agentId: value.ignored,
  agent_id: value.ignored,
})

export const snapshotReply = z.object({
  ok: z.literal(true),
  imported: z.number(),
  skipped: z.object({ localChatArtifacts: z.number() }),
})

/** The form of an import. Its parts are read as they arrive. */
export const importForm = z.object({
  files: z
    .array(z.file())
    .max(25)
    .optional()
    .describe('Files of at most 25 MiB, 100 MiB together.'),
  paths: z
    .array(z.string())
    .max(25)
    .optional()
    .describe('Absolute paths, from a program on the machine of the service.'),
  duplicateMode: z
    .enum(['skip', 'replace', 'reimport'])
    .optional()
    .describe('What becomes of a file with known content; default `skip`.'),
})
