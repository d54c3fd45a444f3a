import { z } from 'zod'
import { Reply } from '../../kernel/http/route.ts'
import { foldCases, inBothCases } from '../../kernel/http/snake-case.ts'
import { flag, ignored, number, required, text, time } from '../../kernel/http/wire-values.ts'
import type { FacetSpan, RememberRequest } from './new-memory.ts'
import type { RememberResult } from './remember.ts'
import { addNulIssue, findNul, nonBlank, tags, toWireTags, wellFormed } from './wire-fields.ts'

const listOf = (name: string) => z.array(z.unknown(), `${name} must be an array`).optional()
const supersedesRule = 'supersedes must be a memory id'

/** Fields with a camel-case and a snake-case name. */
const provenance = { sourcePath: text, runtimePath: text, idempotencyKey: text }
const references = { sourceType: text, sourceId: text, sourcePart: text, sessionId: text }
const times = {
  createdAt: time('createdAt'),
  occurredAt: time('occurredAt'),
  observedAt: time('observedAt'),
  sourceCreatedAt: time('sourceCreatedAt'),
  validFrom: time('validFrom'),
  validUntil: time('validUntil'),
  reviewAfter: time('reviewAfter'),
}
const provenanceFields = { ...inBothCases(provenance), source: text }

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
    ...inBothCases(references),
    ...provenanceFields,
    metadata: z.looseObject(provenanceFields).nullish().catch(undefined),
    ...inBothCases(times),
    supersedes: nonBlank(supersedesRule).nullish(),
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
  const { validFrom, validUntil } = foldCases(times, body)
  if (nul) addNulIssue(context, nul)
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

/** The header tells clients that a duplicate answered and no memory was saved. */
export function answerRemember(remembered: RememberResult): Reply<z.input<typeof rememberReply>> {
  const headers = remembered.deduped ? { 'x-svc-operation-skipped': '1' } : {}
  return new Reply(200, toRememberReply(remembered), headers)
}

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
  const { structured, metadata, supersedes, visibility, transcript } = body
  const { createdAt, reviewAfter, ...moments } = foldCases(times, body)
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
    visibility,
    ...foldCases(references, body),
    ...toProvenance(body, metadata ?? {}),
    createdAt,
    reviewAfter,
    spans: toSpans({ ...moments, createdAt }),
    supersedes: supersedes ?? undefined,
    hints: hints.filter((hint) => typeof hint === 'string'),
    evidence: Object.keys(evidence).length === 0 ? undefined : evidence,
    structured: Boolean(structured),
    transcript,
  }
}

interface Provenance {
  readonly source?: string | undefined
}

/** Top-level fields take precedence over `metadata`. */
function toProvenance(body: Provenance, metadata: Provenance) {
  const [direct, fallback] = [body, metadata].map((from) => {
    const { sourcePath = from.source, ...rest } = foldCases(provenance, from)
    return { sourcePath, ...rest }
  })
  return {
    sourcePath: direct?.sourcePath ?? fallback?.sourcePath,
    runtimePath: direct?.runtimePath ?? fallback?.runtimePath,
    idempotencyKey: direct?.idempotencyKey ?? fallback?.idempotencyKey,
  }
}

/** One span for each facet in the request. */
function toSpans(moments: z.output<z.ZodObject<typeof times>>): FacetSpan[] {
  const { validFrom, validUntil } = moments
  const facets = [
    { facet: 'source', startAt: moments.sourceCreatedAt },
    { facet: 'observed', startAt: moments.observedAt },
    { facet: 'occurred', startAt: moments.occurredAt },
    { facet: 'captured', startAt: moments.createdAt },
  ] as const
  const spans = facets.flatMap(({ facet, startAt }) =>
    startAt ? [{ facet, startAt, endAt: null }] : [],
  )
  if (!validFrom && !validUntil) return spans
  return [...spans, { facet: 'valid', startAt: validFrom || null, endAt: validUntil || null }]
}
