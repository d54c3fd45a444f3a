import { z } from 'zod'
import * as read from '../../kernel/http/wire-values.ts'
import type { Memory } from './memory.ts'
import type { MemoryFilter } from './store/filter.ts'
import { type ListPage, memoryStates } from './store/lists.ts'
import type { Note, NoteFile } from './write-note.ts'

const limits = { page: 1000, lineage: 500, forgotten: 200, patches: 200, noteLength: 8000 } as const

/** Filters apply to the page only. The stats count all memories of the namespace. */
export interface ListRequest extends Omit<ListPage, 'forgottenSince'> {
  readonly idPrefix?: string | undefined
  /** Ignored without an id prefix. */
  readonly includeDeleted?: boolean | undefined
}

export const listQuery = z
  .object({
    agentId: read.ignored,
    agent_id: read.ignored,
    limit: read.integer('limit', { min: 1, max: limits.page, default: 100 }),
    offset: read.integer('offset', { min: 0, max: 1_000_000_000, default: 0 }),
    type: read.text,
    scope: read.text.describe('A namespace. Default: memories without a namespace.'),
    allScopes: read.flag.describe('Include every namespace. Ignored with `scope`.'),
    project: read.text,
    tags: read.list.describe('Comma-separated. A memory must have every tag.'),
    tag: read.text.describe('One more tag that a memory must have.'),
    who: read.text,
    source_type: read.text,
    pinned: read.flag.describe('Only pinned memories, or only others.'),
    state: z
      .enum(memoryStates, `state must be one of ${memoryStates.join(', ')}`)
      .default('live')
      .describe(
        'Current, forgotten and still recoverable, superseded, or all memories. `forgotten` and `all` need the permission `recover`. Ignored with `id_prefix`.',
      ),
    since: read.time('since').describe('Created at or after this time.'),
    until: read.time('until').describe('Created at or before this time.'),
    id_prefix: read.idPrefix
      .describe(
        'The first characters of an id, at least six. Also lists superseded memories and every namespace, ordered by id.',
      )
      .optional(),
    include_deleted: read.flag.describe('With `id_prefix`: include deleted memories.'),
  })
  .transform(({ agentId, agent_id, id_prefix, include_deleted, ...query }): ListRequest => {
    const { tag, tags, source_type: sourceType, ...rest } = query
    const allTags = tag === undefined ? tags : [...(tags ?? []), tag]
    return {
      ...rest,
      tags: allTags,
      sourceType,
      idPrefix: id_prefix,
      includeDeleted: include_deleted,
    }
  })

export const lineageQuery = z.object({
  agentId: read.ignored,
  agent_id: read.ignored,
  limit: read.integer('limit', { min: 1, max: limits.lineage, default: 50 }),
})

export const listReply = z.object({
  memories: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      created_at: z.iso.datetime(),
      who: z.string(),
      importance: z.number(),
      tags: z.string().nullable(),
      source_type: z.string(),
      pinned: z.literal([0, 1]),
      type: z.string(),
    }),
  ),
  total: z.int().describe('Memories of the list on all its pages.'),
  stats: z.object({ total: z.int(), withEmbeddings: z.int(), critical: z.int() }),
  error: z.string().describe('Present when the read failed; the page is then empty.').optional(),
})

export const lineageReply = z.object({
  memoryId: z.string(),
  count: z.int(),
  lineage: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      type: z.string(),
      importance: z.number(),
      version: z.int(),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
      supersededBy: z.string().nullable(),
      supersededAt: z.iso.datetime().nullable(),
      supersededReason: z.string().nullable(),
    }),
  ),
})

const batchForgetFields = z.object({
  agentId: read.ignored,
  agent_id: read.ignored,
  mode: z.enum(['preview', 'execute'], 'mode must be preview or execute').default('preview'),
  ids: read.list,
  query: read.cleanText,
  type: read.text,
  tags: read.list,
  who: read.text,
  source_type: read.text,
  since: read.time('since'),
  until: read.time('until'),
  scope: read.text,
  limit: read.integer('limit', { min: 1, max: limits.forgotten, default: 20 }),
  reason: read.cleanText,
  force: read.flag,
  confirm_token: read.text,
  if_version: z
    .unknown()
    .meta({ not: {} })
    .refine((version) => version === undefined, {
      error: 'if_version is not allowed in a batch: the versions of a preview are its own',
    })
    .optional(),
})
export const batchForgetBody = batchForgetFields
  .meta(describeSelection())
  .transform(toForgetRequest)

export interface ForgetSelection {
  readonly query: string | undefined
  readonly filter: MemoryFilter
  readonly limit: number
}

export type BatchForgetRequest =
  | { readonly mode: 'preview'; readonly selection: ForgetSelection }
  | {
      readonly mode: 'execute'
      readonly selection: ForgetSelection
      readonly reason: string
      readonly force: boolean
      readonly confirmToken: string | undefined
    }

/** Requires at least one selector, and a reason to execute. */
function describeSelection() {
  const nonBlank = { type: 'string', pattern: '[^\\s,]' }
  const nonEmptyList = { anyOf: [nonBlank, { type: 'array', contains: nonBlank }] }
  const { anyOf } = read.anyText('query', 'type', 'who', 'source_type', 'since', 'until')
  const lists = ['ids', 'tags'].map((name) => ({
    required: [name],
    properties: { [name]: nonEmptyList },
  }))
  const previews = { properties: { mode: { const: 'preview' } } }
  const reason = { anyOf: [previews, ...read.anyText('reason').anyOf] }
  return { anyOf: [...anyOf, ...lists], allOf: [reason] }
}

function toForgetRequest(
  body: z.output<typeof batchForgetFields>,
  context: z.core.$RefinementCtx,
): BatchForgetRequest {
  const { mode, ids, query, type, tags, who, source_type, since, until, scope, limit } = body
  const selectors = [ids, query, type, tags, who, source_type, since, until]
  if (!selectors.some((selector) => selector !== undefined && selector.length > 0)) {
    const names = 'query, ids or a filter (type, tags, who, source_type, since, until)'
    context.issues.push({ code: 'custom', message: `one of ${names} is required`, input: body })
  }
  if (mode === 'execute' && body.reason === undefined)
    context.issues.push({ code: 'custom', message: 'reason is required', input: body })
  const filters = { ids: ids?.length ? ids : undefined, type, tags, who, since, until, scope }
  const filter = { ...filters, sourceType: source_type }
  const selection = { query, filter, limit }
  if (mode === 'preview') return { mode, selection }
  const { reason = '', force = false, confirm_token: confirmToken } = body
  return { mode, selection, reason, force, confirmToken }
}

const candidate = z.object({
  id: z.string(),
  /** Relevance with three decimals. 0 without a query. */
  score: z.number(),
  pinned: z.boolean(),
  version: z.int(),
})
export type ForgetCandidate = z.output<typeof candidate>

const memoryResult = z.object({
  id: z.string(),
  status: z.string(),
  currentVersion: z.int().optional(),
  newVersion: z.int().optional(),
})

export const batchForgetReply = z.union([
  z.object({
    mode: z.literal('preview'),
    count: z.int(),
    requiresConfirm: z.boolean(),
    confirmToken: z.string(),
    candidates: z.array(candidate),
  }),
  z.object({
    mode: z.literal('execute'),
    requested: z.int(),
    deleted: z.int(),
    results: z.array(memoryResult),
  }),
])

export const batchUpdateBody = z.object({
  agentId: read.ignored,
  agent_id: read.ignored,
  reason: read.cleanText,
  changed_by: read.ignored,
  patches: z
    .array(z.unknown(), 'patches must be a non-empty array')
    .min(1, 'patches must be a non-empty array')
    .max(limits.patches, `patches must hold at most ${limits.patches}`),
})
export interface BatchUpdate {
  readonly reason: string | undefined
  readonly patches: readonly unknown[]
}

const patchResult = memoryResult.extend({
  contentChanged: z.boolean().optional(),
  embedded: z.boolean().optional(),
  redactions: z.int().optional(),
  duplicateMemoryId: z.string().optional(),
  error: z.string().optional(),
})
export type PatchResult = z.output<typeof patchResult>

export const batchUpdateReply = z.object({
  total: z.int(),
  updated: z.int(),
  results: z.array(patchResult),
})

export const noteBody = z
  .object({
    content: read.required('content').refine((content) => content.length <= limits.noteLength, {
      error: `content must be at most ${limits.noteLength} characters`,
    }),
    title: read.text,
    tags: read.list,
  })
  .transform(({ content, title, tags = [] }): Note => ({ content, title, tags }))

export const noteReply = z.object({
  ok: z.literal(true),
  path: z.string(),
  redactions: z.int().optional(),
})

export function toNoteReply({ path, redactions }: NoteFile) {
  return { ok: true as const, path, ...(redactions > 0 && { redactions }) }
}

export function toLineageReply(memoryId: string, lineage: Memory[]) {
  return { memoryId, count: lineage.length, lineage }
}

export function toPatchedReply(results: PatchResult[]) {
  const updated = results.filter(({ status }) => status === 'updated').length
  return { total: results.length, updated, results }
}
