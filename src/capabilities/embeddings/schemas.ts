import { z } from 'zod'
import * as read from '../../kernel/http/wire-values.ts'
import type { ExportedMemory, Page } from './needs.ts'

const agentParams = { agentId: read.ignored, agent_id: read.ignored }

const scope = read.text
  .refine((scope) => !scope?.includes('\0'), 'scope must not contain NUL')
  .describe('A namespace; default: memories without a namespace.')

export const exportQuery = z
  .object({
    ...agentParams,
    scope,
    limit: read.integer('limit', { min: 50, max: 5000, default: 600 }),
    offset: read.integer('offset', { min: 0, max: 100_000, default: 0 }),
    vectors: read.flag,
  })
  .transform(({ vectors = false, limit, offset, scope }) => ({ limit, offset, scope, vectors }))
export type ExportRow = ExportedMemory & { readonly vector?: Float32Array | undefined }

export interface ExportRequest extends Page {
  readonly vectors: boolean
}

export const agentQuery = z.object(agentParams)

export const projectionQuery = z.object({
  ...agentParams,
  scope,
  dimensions: z
    .unknown()
    .optional()
    .meta({ type: 'integer', enum: [2, 3] })
    .transform((value) => (value === '3' || value === 3 ? 3 : 2)),
})

const memoryFields = {
  id: z.string(),
  content: z.string(),
  who: z.string(),
  importance: z.number(),
  type: z.string(),
  tags: z.array(z.string()),
  sourceType: z.string(),
  sourceId: z.string().nullable(),
  createdAt: z.iso.datetime(),
}

export const exportReply = z.object({
  embeddings: z.array(
    z.object({ ...memoryFields, text: z.string(), vector: z.array(z.number()).optional() }),
  ),
  count: z.int(),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  error: z.string().optional(),
})

const progress = z.object({
  /** `waiting`: the last run failed with `error`. */
  state: z.enum(['idle', 'running', 'waiting', 'disabled']),
  /** Identity of the model that answers searches. */
  active: z.string().nullable(),
  /** Identity of the model that is being built. */
  building: z.string().nullable(),
  total: z.int(),
  embedded: z.int(),
  /** Number of rejected texts. */
  refused: z.int(),
  error: z.string().optional(),
})
/** Embedding progress of the configured model. */
export type Progress = z.output<typeof progress>

export const statusReply = z.object({
  provider: z.string(),
  model: z.string().nullable(),
  available: z.boolean(),
  dimensions: z.int().optional(),
  base_url: z.string().nullable(),
  checkedAt: z.iso.datetime(),
  error: z.string().optional(),
  tracker: progress,
})
export type ProviderStatus = Omit<z.output<typeof statusReply>, 'tracker'>

const check = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  message: z.string(),
  detail: z.unknown().optional(),
  fix: z.string().optional(),
})
export type Check = z.output<typeof check>

export const healthReply = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  score: z.number(),
  checkedAt: z.iso.datetime(),
  coverage: z.number(),
  staleCount: z.int(),
  provider: z.object({ name: z.string(), available: z.boolean() }),
  config: z.object({
    provider: z.string(),
    model: z.string().nullable(),
    dimensions: z.int().nullable(),
  }),
  checks: z.array(check),
})
export type HealthReply = z.output<typeof healthReply>

export const projectionReply = z.union([
  z.object({
    status: z.literal('cached'),
    dimensions: z.int(),
    count: z.int(),
    total: z.int(),
    nodes: z.array(
      z.object({
        ...memoryFields,
        pinned: z.boolean(),
        x: z.number(),
        y: z.number(),
        z: z.number().optional(),
      }),
    ),
    edges: z.array(z.array(z.int()).length(2)),
    cachedAt: z.iso.datetime(),
  }),
  z.object({
    status: z.literal('computing'),
    dimensions: z.int(),
    count: z.int(),
    total: z.int(),
  }),
  z.object({ status: z.literal('error'), message: z.string() }),
])

export const backfillReply = z.object({ status: z.literal('started'), tracker: progress })

export function toFailedExport({ limit, offset }: ExportRequest): z.input<typeof exportReply> {
  const error = 'Failed to load embeddings'
  return { embeddings: [], count: 0, total: 0, limit, offset, hasMore: false, error }
}

export function toExportReply(
  { memories, total }: { readonly memories: readonly ExportRow[]; readonly total: number },
  request: ExportRequest,
): z.input<typeof exportReply> {
  const embeddings = memories.map(toExportItem)
  return { embeddings, ...toExportTail({ count: embeddings.length, total }, request) }
}

export function toExportItem({ vector, ...memory }: ExportRow) {
  const { id, content, who, importance, type, tags, sourceType, sourceId, createdAt } = memory
  const fields = { id, content, who, importance, type, tags: [...tags], sourceType, sourceId }
  const item = { ...fields, createdAt, text: content }
  return vector ? { ...item, vector: Array.from(vector) } : item
}

export function toExportTail(
  { count, total }: { readonly count: number; readonly total: number },
  { limit, offset }: ExportRequest,
) {
  return { count, total, limit, offset, hasMore: offset + count < total }
}

export const gapsReply = z.object({
  unembedded: z.int(),
  total: z.int(),
  /** A percentage, such as `97.5%`. */
  coverage: z.string(),
})

const nullableText = z.string().nullable().optional()

/** The name of the folder in `models` of the workspace. */
const modelName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'name must have 1 to 64 letters, digits, ".", "_" or "-"')

export const installBody = z.object({
  source: z
    .string()
    .regex(/\S/)
    .max(2048)
    .refine(isPlainSource, 'source must not hold credentials')
    .describe('An http or https URL, or the absolute path of a folder of this machine.'),
  name: modelName,
  file: z
    .string()
    .regex(/^\w[\w.-]*(\/\w[\w.-]*){0,3}$/, 'file must be a relative path')
    .optional()
    .describe('The model in the source; default `model.onnx`, then `onnx/model.onnx`.'),
  sha256: z
    .string()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/, 'sha256 must have 64 hexadecimal digits')
    .optional()
    .describe('The expected SHA-256 of the model.'),
})

const installation = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['running', 'completed', 'failed']),
  file: z.string().nullable(),
  receivedBytes: z.int(),
  totalBytes: z.int(),
  error: z.string().optional(),
})

export const installReply = z.object({ job: installation })

export const modelsReply = z.object({
  /** The provider and the model of the configuration. */
  provider: z.string(),
  model: z.string().nullable(),
  models: z.array(
    z.object({
      name: z.string(),
      isUsed: z.boolean(),
      pooling: z.enum(['mean', 'cls', 'last']).optional(),
      maxTokens: z.int().optional(),
      queryPrefix: nullableText,
      documentPrefix: nullableText,
      dimensions: z.int().nullable().optional(),
      files: z.array(z.object({ file: z.string(), bytes: z.int(), sha256: z.string() })),
      error: z.string().optional(),
    }),
  ),
  /** The newest installation since the start of the service. */
  installation: installation.nullable(),
})

function isPlainSource(source: string): boolean {
  const { username = '', password = '' } = URL.parse(source) ?? {}
  return username + password === ''
}
