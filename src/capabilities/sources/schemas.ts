import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { chatFields } from './kinds/chat/settings.ts'
import { codeHostFields } from './kinds/code-host/settings.ts'
import { wikiFields } from './kinds/wiki/settings.ts'
import { sourceEntry } from './source.ts'

const agent = { agentId: value.ignored, agent_id: value.ignored }

export const agentQuery = z.object(agent)

export const deleteQuery = agentQuery.extend({
  dryRun: value.flag.describe('Reports what would be removed, and removes nothing.'),
})

export const bySource = z.object({
  sourceId: z.string().describe('Id of the source, such as `notes-vault:4f1c0a9be2d37856`.'),
})

/** A path is stored unchanged, so it must not be redacted. */
const path = z.string('path must be text').max(4_096, 'path must have at most 4,096 characters')
const name = z
  .string('name must be text')
  .trim()
  .regex(/\S/, 'name must not be empty')
  .max(200, 'name must have at most 200 characters')
const sourceName = name.optional().describe('Name of the source in lists and results.')

export const vaultBody = z
  .object({
    ...agent,
    path: path
      .optional()
      .describe('Folder of the notes: an absolute path, or one that begins with `~/`.'),
    root: path.optional().describe('Alias of `path`.'),
    name: sourceName,
    excludeGlobs: z
      .array(z.string().min(1).max(500), 'excludeGlobs must be a list of texts')
      .max(100, 'excludeGlobs must have at most 100 entries')
      .optional()
      .describe(
        'Paths in the folder that are not read, such as `drafts/**`. Hidden files never are.',
      ),
  })
  .meta(value.anyText('path', 'root'))
  .transform(({ path, root, ...body }, context) => {
    const folder = path ?? root ?? ''
    if (folder.trim() === '' || folder.includes('\0'))
      context.issues.push({ code: 'custom', message: 'path is required', input: folder, path: [] })
    return { ...body, path: folder }
  })

export const webBody = z.object({
  ...agent,
  url: z
    .string('url must be text')
    .max(2_048, 'url must have at most 2,048 characters')
    .describe('The http or https URL of the page, without credentials.')
    .meta({ format: 'uri', pattern: '^https?://[^@]*$' }),
  name: sourceName,
  maxPages: z
    .int('maxPages must be a whole number')
    .min(1, 'maxPages must be at least 1')
    .max(500, 'maxPages must be at most 500')
    .optional()
    .describe('Maximum pages; more than 1 (the default) follows links below the URL.'),
})

const { repos, ...codeHostSettings } = codeHostFields

export const codeHostBody = z
  .object({
    ...agent,
    ...codeHostSettings,
    repos: repos.optional(),
    repo: repos.element.optional().describe('Alias of `repos` for one repository.'),
    name: sourceName,
  })
  .meta({ anyOf: [{ required: ['repos'] }, { required: ['repo'] }] })
  .transform(({ repo, repos = repo === undefined ? [] : [repo], ...body }, context) => {
    if (repos.length === 0)
      context.issues.push({ code: 'custom', message: 'repos is required', input: repos, path: [] })
    return { ...body, repos }
  })

export const chatBody = z
  .object({
    ...agent,
    ...chatFields,
    guildId: chatFields.guildIds
      .unwrap()
      .element.optional()
      .describe('Alias of `guildIds` for one server.'),
    channels: chatFields.channelFilter.describe('Alias of `channelFilter`.'),
    name: sourceName,
  })
  .meta({
    anyOf: [
      { required: ['tokenRef', 'guildIds'], properties: { guildIds: { minItems: 1 } } },
      { required: ['tokenRef', 'guildId'] },
      { required: ['syncMode'], properties: { syncMode: { const: 'desktop-cache' } } },
    ],
  })
  .transform(({ guildId, channels, channelFilter = channels, ...body }, context) => {
    const guildIds = body.guildIds ?? (guildId === undefined ? undefined : [guildId])
    if (body.syncMode !== 'desktop-cache') {
      const require = (field: string, isGiven: boolean) => {
        const issue = { code: 'custom', message: `${field} is required`, input: body } as const
        if (!isGiven) context.issues.push({ ...issue, path: [] })
      }
      require('tokenRef', body.tokenRef !== undefined)
      require('guildIds', guildIds !== undefined && guildIds.length > 0)
    }
    return { ...body, channelFilter, guildIds }
  })

export const wikiBody = z.object({ ...agent, ...wikiFields, name: sourceName })

const job = z.object({
  id: z.string(),
  sourceId: z.string(),
  status: z.enum(['queued', 'running', 'complete', 'paused', 'failed']),
  partial: z.boolean(),
  scanned: z.number(),
  total: z.number(),
  indexed: z.number(),
  currentPath: z.string().optional(),
  statusMessage: z.string().optional(),
  pauseReason: z.string().optional(),
  error: z.string().optional(),
  retryAt: z.string().optional(),
  resumeFrontier: z.string().nullable(),
  queuedAt: z.string(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
})

const stats = z.object({ artifacts: z.number(), chunks: z.number(), indexed: z.number() })

const entry = sourceEntry

const health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  error: z.string().optional(),
  generatedAt: z.string(),
  latestArtifactAt: z.string().nullable(),
  latestCheckpointAt: z.string().nullable(),
  chunkCoverage: z.number(),
  failures: z.object({ total: z.number(), recoverable: z.number() }),
  checkpoints: z.object({ total: z.number(), partial: z.number(), stale: z.number() }),
  purge: z.object({ deletedArtifacts: z.number(), orphanChunks: z.number() }),
  semantic: z.object({
    total: z.number(),
    entities: z.number(),
    aspects: z.number(),
    attributes: z.number(),
    dependencies: z.number(),
    communities: z.number(),
    documents: z.number(),
    documentEntityId: z.string().nullable(),
  }),
  permission: z.object({
    status: z.enum(['clear', 'denied']),
    issues: z.array(z.object({ path: z.string(), guidance: z.string() })),
  }),
  importExtraction: z
    .object({
      documentEntityId: z.string().nullable(),
      aspectsCreated: z.number(),
      attributesCreated: z.number(),
    })
    .optional(),
})

const shownSource = entry.extend({
  stats,
  health,
  indexJob: job.nullable(),
})

export const listReply = z.object({ version: z.literal(1), sources: z.array(shownSource) })

export const showReply = z.object({ source: shownSource, runs: z.array(job) })

export const addedReply = z.object({
  source: entry,
  created: z.boolean(),
  indexed: z.literal(0),
  queued: z.literal(true),
  job,
})

export const jobReply = z.object({ job })

export const changedReply = z.object({ source: entry, changed: z.boolean(), job: job.nullable() })

const purged = z.object({
  artifacts: z.number(),
  chunks: z.number(),
  entities: z.number(),
  aspects: z.number(),
  attributes: z.number(),
  dependencies: z.number(),
})

export const deletedReply = z.object({
  source: entry,
  purged,
  cleanupPending: z.literal(true).optional(),
  pending: z.literal(true).optional(),
  dryRun: z.literal(true).optional(),
})

export const healthReply = z.object({ source: entry, stats, health })

export const failedReply = z.object({ error: z.string(), code: z.string() })
