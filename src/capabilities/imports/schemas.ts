import { z } from 'zod'
import { list, time } from '../../kernel/http/wire-values.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { duplicateModes, schemaId } from './import-job.ts'
import { parseCursor } from './read-import.ts'

const maxFiles = 25
const maxNameLength = 1024
const maxHarnesses = 25
const maxFileBytes = 68_719_476_736

const agent = { agentId: z.unknown().optional(), agent_id: z.unknown().optional() }

export const agentQuery = z.object(agent)

export const createBody = z.object({
  ...agent,
  schemaId: z
    .literal(schemaId, `schemaId must be '${schemaId}'`)
    .default(schemaId)
    .describe('The form of the lines.'),
  files: z
    .array(
      z.object({
        name: z
          .string('files.name is required')
          .max(maxNameLength, `files.name must have at most ${maxNameLength} characters`)
          .refine((name) => !name.includes('\0'), 'files.name must not contain NUL')
          .transform(toCleanText)
          .refine((name) => name.trim() !== '', 'files.name is required')
          .meta({ type: 'string', pattern: '\\S' })
          .describe('Shown in lists; never used as a path.'),
        size: z
          .int()
          .min(0)
          .max(maxFileBytes)
          .optional()
          .describe('Bytes of the file; reserves their space at once.'),
      }),
      'files is required',
    )
    .min(1, 'files is required')
    .max(maxFiles, `at most ${maxFiles} files`)
    .meta({ examples: [[{ name: 'conversations.jsonl' }]] }),
  duplicateMode: z
    .enum(duplicateModes, `duplicateMode must be one of ${duplicateModes.join(', ')}`)
    .default('skip')
    .describe('Recorded; the identity of a conversation decides what a duplicate is.'),
})

export const byJob = z.object({ jobId: z.string() })
export const byFile = z.object({ jobId: z.string(), fileId: z.string() })

const job = z.object({
  id: z.string(),
  kind: z.string(),
  agent_id: z.string(),
  schema_id: z.string(),
  adapter_version: z.number(),
  state: z.string(),
  generation: z.number(),
  duplicate_mode: z.string(),
  control_request: z.string().nullable(),
  total: z.number(),
  imported: z.number(),
  duplicate: z.number(),
  rejected: z.number(),
  pending: z.number(),
  error: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  reconciled_at: z.string().nullable(),
  cleanup_state: z.string().nullable(),
  lease_expires_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})

const upload = z.object({
  upload_generation: z.number(),
  upload_offset: z.number(),
  upload_size: z.number().nullable(),
  upload_digest: z.string(),
  storage_state: z.string(),
  content_hash: z.string().nullable(),
})

const file = upload.extend({
  id: z.string(),
  job_id: z.string(),
  source_id: z.string().nullable(),
  agent_id: z.string(),
  ordinal: z.number(),
  name: z.string(),
  size_bytes: z.number().nullable(),
  state: z.string(),
  reserved_bytes: z.number(),
  checkpoint_byte_offset: z.number(),
  checkpoint_ordinal: z.number(),
  checkpoint_line_number: z.number(),
  record_count: z.number().nullable(),
  malformed_count: z.number(),
  error: z.string().nullable(),
})

export const createdReply = z.object({
  id: z.string(),
  jobId: z.string(),
  agentId: z.string(),
  state: z.string(),
  duplicateMode: z.string(),
  files: z.array(z.object({ id: z.string(), name: z.string() })),
})

export const listReply = z.object({ imports: z.array(job.extend({ jobId: z.string() })) })

export const readReply = z.object({
  id: z.string(),
  jobId: z.string(),
  agentId: z.string(),
  state: z.string(),
  cleanup_state: z.string().nullable(),
  job,
  files: z.array(file),
})

export const appendedReply = z.object({ offset: z.number(), generation: z.number() })

export const sealedReply = z.object({
  fileId: z.string(),
  sourceId: z.string(),
  sizeBytes: z.number(),
  contentHash: z.string(),
})

export const resetReply = upload

export const controlReply = z.object({
  jobId: z.string(),
  control: z.string(),
  changed: z.boolean(),
  state: z.string(),
})

export const rejectionsQuery = z.object({
  ...agent,
  cursor: z
    .string()
    .optional()
    .describe('`nextCursor` of the previous page.')
    .transform((text, context) => {
      const cursor = text === undefined ? undefined : parseCursor(text)
      if (text !== undefined && !cursor)
        context.issues.push({ code: 'custom', message: 'cursor is invalid', input: text })
      return cursor
    }),
})

export const rejectionsReply = z.object({
  jobId: z.string(),
  rejections: z.array(
    z.object({
      id: z.string(),
      job_id: z.string(),
      file_id: z.string(),
      source_id: z.string().nullable(),
      agent_id: z.string(),
      ordinal: z.number(),
      line_number: z.number(),
      byte_offset: z.number(),
      byte_length: z.number(),
      raw_hash: z.string(),
      status: z.string(),
      rejection_code: z.string().nullable(),
      canonical_id: z.string().nullable(),
      canonical_key: z.string().nullable(),
      external_identity: z.string().nullable(),
      conversation_fingerprint: z.string().nullable(),
      attempt_count: z.number(),
      updated_at: z.string(),
    }),
  ),
  nextCursor: z.string().nullable(),
})

export const reconciliationReply = z.object({
  jobId: z.string(),
  reconciliation: z.array(
    z.object({
      status: z.enum(['imported', 'duplicate', 'rejected', 'pending']),
      count: z.number(),
    }),
  ),
  nextCursor: z.null(),
})

function count(name: string) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `${name} must be a whole number`)
    .transform(Number)
    .meta({ type: 'integer', minimum: 0 })
    .optional()
}

const endOfDay = 'T23:59:59.999Z'

export const exportQuery = z.object({
  ...agent,
  harness: list
    .refine((harnesses) => (harnesses?.length ?? 0) <= maxHarnesses, {
      error: `at most ${maxHarnesses} harnesses`,
    })
    .describe('Only conversations of these harnesses.'),
  since: time('since').describe('Only conversations that began at this time or later.'),
  until: z
    .preprocess(
      (input) => (/^\d{4}-\d{2}-\d{2}$/.test(String(input)) ? `${input}${endOfDay}` : input),
      time('until'),
    )
    .describe('Only conversations that began at this time or earlier; a date includes its day.')
    .meta({ type: 'string', format: 'date-time' }),
  limit: count('limit').describe('Maximum number of conversations.'),
  offset: count('offset').describe('Number of conversations to skip.'),
  messagesOnly: z
    .enum(['true', 'false'])
    .optional()
    .describe('Leaves out messages of tools and of the system.'),
  json: z.enum(['true', 'false']).optional().describe('One JSON array instead of lines.'),
})

const uploadLength = z.int().describe('Bytes of the whole file.')

/** Headers of a chunk, which `readAppendHeaders` checks. */
export const appendHeaders = z.object({
  'upload-length': uploadLength,
  'upload-offset': z.int().describe('Where the chunk begins: a multiple of 65,536.'),
  'upload-checksum': z.string().describe('SHA-256 of the body in hex.'),
  'upload-generation': z.int().optional().describe('Generation of the upload; default 0.'),
})

export const putHeaders = z.object({
  'upload-length': uploadLength.optional().describe('Bytes of the file; default Content-Length.'),
})
