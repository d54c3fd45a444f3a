import { z } from 'zod'
import { ignored, integer } from '../../kernel/http/wire-values.ts'
import { sourceTypes, statuses } from './document.ts'

const wellFormed = (value: string) => !value.includes('\0') && value.isWellFormed()
const textOf = (maxLength: number, description: string) =>
  z
    .string()
    .max(maxLength)
    .refine(wellFormed, 'must be well-formed text without NUL')
    .describe(description)

/** Whether a text is an http or https URL without credentials. */
function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb && url.username === '' && url.password === ''
}

const notBlank = { type: 'string', pattern: '\\S' }
const form = (sourceType: string, required: string, more: object = {}) => ({
  required: [required],
  properties: { source_type: { const: sourceType }, content: notBlank, ...more },
})

/** JSON Schema of what `superRefine` checks. */
const documentedForms = [
  form('text', 'content', { encoding: { const: 'utf8' } }),
  form('url', 'url', { encoding: { const: 'utf8' } }),
  form('file', 'content', { encoding: { const: 'utf8' } }),
  form('file', 'content', { content: { type: 'string', pattern: '^([A-Za-z0-9+/]{4})+$' } }),
  form('file', 'url', { encoding: { const: 'utf8' } }),
]

export const addBody = z
  .object({
    source_type: z.enum(sourceTypes).describe('What is added: `text`, `url` or `file`.'),
    content: z
      .string()
      .refine(wellFormed, 'must be well-formed text without NUL')
      .optional()
      .describe('The text. Required for `text`; for `file`, the content of the file.'),
    encoding: z
      .enum(['utf8', 'base64'])
      .optional()
      .describe('`base64` for the bytes of a file, such as a PDF; default `utf8`.'),
    url: textOf(4_096, 'Required for `url`: an http or https URL. Local paths are refused.')
      .refine(isWebUrl, 'url must be an http or https URL without credentials')
      .meta({ format: 'uri', pattern: '^https?://[^@]*$' })
      .optional(),
    title: textOf(500, 'The title; for a file, its name.').optional(),
    content_type: textOf(200, 'The media type of the content.').optional(),
    connector_id: textOf(200, 'The connector of the document.').optional(),
    metadata: z.record(z.string(), z.unknown()).optional().describe('Any JSON object.'),
    project: textOf(500, 'The project of the document.').optional(),
    agentId: ignored,
    agent_id: ignored,
  })
  .meta({ anyOf: documentedForms })
  .superRefine(({ source_type, content, encoding, url }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (source_type === 'text' && content === undefined) issue('content', 'content is required')
    if (source_type === 'url' && url === undefined) issue('url', 'url is required')
    if (source_type === 'file' && content === undefined && url === undefined)
      issue('content', 'content or url is required')
    if (encoding === 'base64' && source_type !== 'file')
      issue('encoding', 'encoding base64 requires the source type file')
    if (encoding === 'base64' && content !== undefined && !isBase64(content))
      issue('content', 'content is not base64')
  })

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

export const addedReply = z.object({
  id: z.string(),
  status: z.enum(statuses),
  jobId: z.string().nullable().optional(),
  deduplicated: z.literal(true).optional(),
})

export const listQuery = z.object({
  status: z.enum(statuses).optional().describe('Only documents with this status.'),
  limit: integer('limit', { min: 1, max: 500, default: 50 }).describe('Default 50, at most 500.'),
  offset: integer('offset', { min: 0, max: 1_000_000, default: 0 }).describe('Rows to skip.'),
})

export const byId = z.object({
  id: z.string().meta({ 'x-ids': 'GET /api/documents', description: 'The id of the document.' }),
})

export const documentRow = z.object({
  id: z.string(),
  source_url: z.string().nullable(),
  url: z.string().nullable(),
  source_type: z.enum(sourceTypes),
  content_type: z.string().nullable(),
  content_hash: z.string().nullable(),
  title: z.string().nullable(),
  status: z.enum(statuses),
  error: z.string().nullable(),
  connector_id: z.string().nullable(),
  chunk_count: z.number(),
  memory_count: z.number(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  metadata_json: z.string().nullable(),
  agent_id: z.string(),
  project: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  completed_at: z.string().nullable(),
})

export const fullRow = documentRow.extend({
  raw_content: z.string().nullable(),
  content: z.string().nullable(),
})

export const listReply = z.object({
  documents: z.array(documentRow),
  total: z.number(),
  limit: z.number(),
  offset: z.number(),
})

export const chunksReply = z.object({
  chunks: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      type: z.string(),
      created_at: z.string(),
      chunk_index: z.number(),
    }),
  ),
  count: z.number(),
})

export const deleteQuery = z.object({
  reason: z
    .string('reason is required')
    .trim()
    .min(1, 'reason is required')
    .max(2_000)
    .describe('Why the document is deleted; stored with its memories.'),
})

export const deletedReply = z.object({ deleted: z.literal(true), memoriesRemoved: z.number() })

export const byJob = z.object({ id: z.string().describe('The `jobId` of an added document.') })

export const jobReply = z.object({
  id: z.string(),
  type: z.string(),
  status: z.string(),
  attempts: z.number(),
  error: z.string().optional(),
  documentId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
