import { z } from 'zod'
import * as value from '../../../kernel/http/wire-values.ts'
import { limit, offset, oneOf } from '../schemas.ts'
import { assertionStatuses, predicates } from './assertion.ts'

export const assertionsQuery = z.object({
  ...value.ignoredAgent,
  entity: value.text,
  entity_id: value.text,
  predicate: oneOf('predicate', predicates),
  status: oneOf('status', [...assertionStatuses, 'all']),
  speaker: value.text,
  source_kind: value.text,
  source_id: value.text,
  query: value.text,
  limit,
  offset,
})

const assertedAt = value.text
  .meta({ type: 'string', format: 'date-time' })
  .transform((input, context) => {
    if (input === undefined) return undefined
    const date = value.readDate(input)
    if (!date) context.issues.push({ code: 'custom', message: 'asserted_at is invalid', input })
    return date?.toISOString()
  })

const fields = {
  ...value.ignoredAgent,
  entity: value.text,
  entity_id: value.text,
  predicate: oneOf('predicate', predicates),
  content: value.requiredCleanText('content'),
  speaker: value.cleanText,
  asserted_at: assertedAt,
  confidence: value.number,
  evidence: z.array(z.unknown(), 'evidence must be an array').nullish(),
  source_kind: value.cleanText,
  source_id: value.cleanText,
  source_path: value.cleanText,
  source_root: value.cleanText,
  claim_attribute_id: value.text,
  created_by: value.cleanText,
}

export const assertionBody = z.object(fields).meta(value.anyText('entity', 'entity_id'))
export const supersedeBody = z.object(fields)
export const linkBody = z.object({
  ...value.ignoredAgent,
  attribute_id: value.required('attribute_id'),
})

const nullable = z.string().nullable()
const source = z.string().nullable()

export const assertionReply = z.object({
  id: z.string(),
  agentId: z.string(),
  observerId: z.string(),
  subjectEntityId: z.string(),
  subjectEntityName: z.string(),
  claimAttributeId: nullable,
  predicate: z.enum(predicates),
  content: z.string(),
  normalizedContent: z.string(),
  speaker: nullable,
  assertedAt: z.string(),
  confidence: z.number(),
  evidence: z.array(z.unknown()).readonly(),
  sourceKind: source,
  sourceId: source,
  sourcePath: source,
  sourceRoot: source,
  status: z.enum(assertionStatuses),
  supersedesAssertionId: nullable,
  archivedAt: nullable,
  archivedBy: nullable,
  archiveReason: nullable,
  createdBy: nullable,
  createdAt: z.string(),
  updatedAt: z.string(),
  entity: z.string(),
  entity_id: z.string(),
  asserted_at: z.string(),
  source_kind: source,
  source_id: source,
  source_path: source,
  source_root: source,
  claim_attribute_id: nullable,
  created_by: nullable,
})
export const assertionsReply = z.object({
  items: z.array(assertionReply).readonly(),
  count: z.int(),
  limit: z.int(),
  offset: z.int(),
})
