import { z } from 'zod'
import { flag } from '../../kernel/http/wire-values.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { providers, statuses } from './connector.ts'

const wellFormed = (value: string) => !value.includes('\0') && value.isWellFormed()
const globs = (description: string) =>
  z
    .union([z.string().min(1).max(500), z.array(z.string().min(1).max(500)).min(1).max(100)])
    .transform((value) => [value].flat())
    .optional()
    .describe(description)
const maxFileLimit = 104_857_600

const settings = z
  .looseObject({
    rootPath: z
      .string()
      .max(4_096)
      .refine(wellFormed, 'must be well-formed text without NUL')
      .optional()
      .describe('The folder: an absolute path, or one that begins with `~/`.'),
    glob: globs('Files that are read; default `**/*.md` and `**/*.txt`.'),
    patterns: globs('Alias of `glob`.'),
    ignorePatterns: globs('Names that are not read; default `.git`, `node_modules`, `.DS_Store`.'),
    maxFileSize: z
      .int()
      .min(1)
      .max(maxFileLimit)
      .optional()
      .describe('Maximum bytes of a file; default 1 MiB. Larger files are skipped.'),
    project: z.string().min(1).max(500).optional().describe('The project of the documents.'),
  })
  .describe('Settings of the provider. `filesystem` requires `rootPath`.')

export const createBody = z
  .object({
    provider: z.enum(providers).describe('`filesystem`; the others have no sync yet.'),
    displayName: z
      .string()
      .trim()
      .max(200)
      .transform((name) => toCleanText(name))
      .optional()
      .describe('The name in lists; default: the provider.'),
    settings: settings.optional(),
  })
  .superRefine(({ provider, settings }, context) => {
    if (provider === 'filesystem' && !settings?.rootPath?.trim())
      context.addIssue({
        code: 'custom',
        path: ['settings', 'rootPath'],
        message: 'rootPath is required',
      })
  })
  .transform(({ provider, displayName, settings: { glob, patterns, ...rest } = {} }) => ({
    provider,
    displayName: displayName === '' ? undefined : displayName,
    settings: { ...rest, ...((glob ?? patterns) && { patterns: glob ?? patterns }) },
  }))

export const createdReply = z.object({ id: z.string() })

export const byId = z.object({
  id: z.string().meta({ 'x-ids': 'GET /api/connectors', description: 'The id of the connector.' }),
})

export const connectorRow = z.object({
  id: z.string(),
  provider: z.enum(providers),
  display_name: z.string(),
  config_json: z.string(),
  cursor_json: z.string().nullable(),
  status: z.enum(statuses),
  last_sync_at: z.string().nullable(),
  last_error: z.string().nullable(),
  agent_id: z.string(),
  project: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})

export const listReply = z.object({ connectors: z.array(connectorRow), count: z.number() })

export const healthReply = z.object({
  id: z.string(),
  status: z.enum(statuses),
  lastSyncAt: z.string().nullable(),
  lastError: z.string().nullable(),
  documentCount: z.number(),
})

export const syncReply = z.object({
  status: z.literal('syncing'),
  message: z.literal('Already syncing').optional(),
})

/** A provider that is registered and not yet read. */
export const notSupportedReply = z.object({
  error: z.string(),
  code: z.literal('provider_not_supported'),
})

export const fullQuery = z.object({
  confirm: flag.describe('Must be `true`: every file is read again.'),
})

export const resyncReply = z.object({
  status: z.literal('syncing'),
  /** Connectors whose sync is queued. */
  queued: z.array(z.string()),
  total: z.number(),
})

export const deleteQuery = z.object({
  cascade: flag.describe('`true` also deletes the documents below the folder.'),
})

export const deletedReply = z.object({ deleted: z.literal(true) })
