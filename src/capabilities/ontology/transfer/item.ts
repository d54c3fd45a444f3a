import { z } from 'zod'
import { predicates } from '../assertions/assertion.ts'

const text = z.string().max(8_000)
const share = z.number().min(0).max(1).optional()
const citations = z
  .array(
    z.object({
      source_kind: z.string().max(40),
      source_id: z.string().max(1_000),
      /** Finds the same memory in another workspace. */
      content_hash: z.string().max(128).optional(),
      quote: z.string().max(2_000),
    }),
  )
  .max(50)
  .default([])

/** One line of an export. Names identify rows, so that a repeated import changes nothing. */
export const graphItem = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('entity'),
    name: text,
    entity_type: text,
    description: text.nullish(),
    pinned: z.boolean().default(false),
    citations,
  }),
  z.object({
    type: z.literal('alias'),
    entity: text,
    alias: text,
    confidence: share,
    source: text.optional(),
  }),
  z.object({ type: z.literal('aspect'), entity: text, aspect: text, weight: share, citations }),
  z.object({
    type: z.literal('value'),
    entity: text,
    aspect: text,
    group_key: text,
    claim_key: text,
    value: text,
    kind: z.enum(['attribute', 'constraint', 'claim']).default('attribute'),
    mode: z.enum(['add', 'set']).default('add'),
    status: z.enum(['active', 'superseded']).default('active'),
    version: z.int().min(1).max(1_000_000).default(1),
    asserted_at: z.iso.datetime().optional(),
    review_after: text.nullish(),
    confidence: share,
    importance: share,
    pinned: z.boolean().default(false),
    citations,
  }),
  z.object({
    type: z.literal('link'),
    source_entity: text,
    target_entity: text,
    link_type: text,
    strength: share,
    confidence: share,
    reason: text.nullish(),
    citations,
  }),
  z.object({
    type: z.literal('assertion'),
    entity: text,
    predicate: z.enum(predicates),
    content: text,
    speaker: text.nullish(),
    asserted_at: z.iso.datetime(),
    confidence: share,
    evidence: z.array(z.unknown()).max(50).default([]),
    source_kind: text.nullish(),
    source_id: text.nullish(),
    source_path: text.nullish(),
  }),
])

export type GraphItem = z.output<typeof graphItem>
export type ItemCitation = z.output<typeof citations>[number]
export const itemTypes = ['entity', 'alias', 'aspect', 'value', 'link', 'assertion'] as const
export type ItemType = (typeof itemTypes)[number]
