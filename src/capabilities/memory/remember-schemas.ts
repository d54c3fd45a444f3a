import { z } from 'zod'
import { flag, ignored, number, required, text, time } from '../../kernel/http/wire-values.ts'
import type { RememberResult } from './remember.ts'
import type { RememberRequest } from './remember-request.ts'
import type { FacetSpan } from './temporal-edge.ts'
import { findNul, nonBlank, tags, toWireTags, wellFormed } from './wire-fields.ts'

const listOf = (name: string) => z.array(z.unknown(), `${name} must be an array`).optional()
const supersedesRule = 'supersedes must be a memory id'

const provenance = {
  sourcePath: text,
  source_path: text,
  source: text,
  runtimePath: text,
  runtime_path: text,
  idempotencyKey: text,
  idempotency_key: text,
}

const rememberFields = z.object(
  {
    content: required('content'),
    who: text,
    project: text,
    type: text,
    reason: text,
    scope: text,
    importance: number,
    tags,
    pinned: flag,
    sourceType: text,
    source_type: text,
    sourceId: text,
    source_id: text,
    sourcePart: text,
    source_part: text,
    ...provenance,
    metadata: z.looseObject(provenance).nullish().catch(undefined),
    createdAt: time('createdAt'),
    created_at: time('createdAt'),
    occurredAt: time('occurredAt'),
    occurred_at: time('occurredAt'),
    observedAt: time('observedAt'),
    observed_at: time('observedAt'),
    sourceCreatedAt: time('sourceCreatedAt'),
    source_created_at: time('sourceCreatedAt'),
    validFrom: time('validFrom'),
    valid_from: time('validFrom'),
    validUntil: time('validUntil'),
    valid_until: time('validUntil'),
    reviewAfter: time('reviewAfter'),
    review_after: time('reviewAfter'),
    supersedes: nonBlank(supersedesRule).nullish(),
    sessionId: text,
    session_id: text,
    agentId: ignored,
    agent_id: ignored,
    visibility: z.enum(['global', 'private']).optional().catch('global'),
    structured: z
      .looseObject(
        {
          entities: listOf('structured.entities'),
          aspects: listOf('structured.aspects'),
          hints: listOf('structured.hints'),
        },
        'structured must be an object',
      )
      .nullish(),
    hints: z.array(z.unknown()).optional().catch(undefined),
    transcript: text,
  },
  'Invalid JSON body',
)

export const rememberBody = rememberFields.transform((body, context): RememberRequest => {
  const { evidence, ...fields } = toRequest(body)
  const request = wellFormed(fields)
  const nul = findNul(request)
  const { validFrom, validUntil } = toTimes(body)
  if (nul) context.addIssue(`${nul} must not contain NUL`)
  if (validFrom && validUntil && validUntil <= validFrom)
    context.addIssue('validUntil must be after validFrom')
  return { ...request, evidence }
})

export const rememberReply = z.object({
  id: z.string(),
  type: z.string(),
  tags: z.string().nullable(),
  pinned: z.boolean(),
  importance: z.number(),
  content: z.string(),
  embedded: z.boolean(),
  entities_linked: z.literal(0),
  hints_written: z.int(),
  structured: z.boolean(),
  structured_applied: z.literal(false),
  deduped: z.boolean(),
  redactions: z.int().optional(),
  superseded: z.object({ id: z.string(), status: z.literal('superseded') }).optional(),
})

export function toRememberReply(remembered: RememberResult): z.input<typeof rememberReply> {
  const { id, type, tags, pinned, importance, content } = remembered.memory
  const { embedded, deduped, hintsWritten, structured, superseded, redactions } = remembered
  return {
    id,
    type,
    pinned,
    importance,
    content,
    embedded,
    deduped,
    structured,
    tags: toWireTags({ tags }),
    entities_linked: 0,
    hints_written: hintsWritten,
    structured_applied: false,
    ...(redactions > 0 && { redactions }),
    ...(superseded !== undefined && { superseded: { id: superseded, status: 'superseded' } }),
  }
}

type RememberFields = z.output<typeof rememberFields>

function toRequest(body: RememberFields): RememberRequest {
  const { content, who, project, importance, tags, pinned, type, reason, scope } = body
  const { structured, metadata, supersedes } = body
  const hints = [...(structured?.hints ?? []), ...(body.hints ?? [])]
  const evidence = { ...(structured && { structured }), ...(metadata && { metadata }) }
  return {
    who,
    project,
    importance,
    tags,
    pinned,
    type,
    reason,
    scope,
    content,
    visibility: body.visibility,
    ...toSource(body),
    ...toProvenance(body, metadata ?? {}),
    createdAt: body.createdAt ?? body.created_at,
    reviewAfter: body.reviewAfter ?? body.review_after,
    spans: toSpans(body),
    supersedes: supersedes ?? undefined,
    sessionId: body.sessionId ?? body.session_id,
    hints: hints.filter((hint) => typeof hint === 'string'),
    evidence: Object.keys(evidence).length === 0 ? undefined : evidence,
    structured: Boolean(structured),
    transcript: body.transcript,
  }
}

function toSource(
  body: RememberFields,
): Pick<RememberRequest, 'sourceType' | 'sourceId' | 'sourcePart'> {
  return {
    sourceType: body.sourceType ?? body.source_type,
    sourceId: body.sourceId ?? body.source_id,
    sourcePart: body.sourcePart ?? body.source_part,
  }
}

type Provenance = Pick<RememberFields, keyof typeof provenance>

/** Top-level fields take precedence over `metadata`. */
function toProvenance(body: Provenance, metadata: Partial<Provenance>) {
  const first = (...names: (keyof Provenance)[]) =>
    [body, metadata].flatMap((from) => names.map((name) => from[name])).find(Boolean)
  return {
    sourcePath: first('sourcePath', 'source_path', 'source'),
    runtimePath: first('runtimePath', 'runtime_path'),
    idempotencyKey: first('idempotencyKey', 'idempotency_key'),
  }
}

function toTimes(body: RememberFields) {
  return {
    sourceCreatedAt: body.sourceCreatedAt ?? body.source_created_at,
    observedAt: body.observedAt ?? body.observed_at,
    occurredAt: body.occurredAt ?? body.occurred_at,
    validFrom: body.validFrom ?? body.valid_from,
    validUntil: body.validUntil ?? body.valid_until,
    createdAt: body.createdAt ?? body.created_at,
  }
}

/** One span for each facet in the request. */
function toSpans(body: RememberFields): FacetSpan[] {
  const { sourceCreatedAt, observedAt, occurredAt, validFrom, validUntil, createdAt } =
    toTimes(body)
  const moments = [
    { facet: 'source', startAt: sourceCreatedAt },
    { facet: 'observed', startAt: observedAt },
    { facet: 'occurred', startAt: occurredAt },
    { facet: 'captured', startAt: createdAt },
  ] as const
  const spans = moments.flatMap(({ facet, startAt }) =>
    startAt ? [{ facet, startAt, endAt: null }] : [],
  )
  if (!validFrom && !validUntil) return spans
  return [...spans, { facet: 'valid', startAt: validFrom || null, endAt: validUntil || null }]
}
