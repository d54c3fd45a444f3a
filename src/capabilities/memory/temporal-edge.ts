import { createHash } from 'node:crypto'
import type { Memory } from './memory.ts'

/** A time span of a subject in one facet. A null end is a moment or open. */
export interface FacetSpan {
  readonly facet: 'source' | 'observed' | 'occurred' | 'valid' | 'captured'
  /** Null when only the end is known; the span then starts with its subject. */
  readonly startAt: string | null
  readonly endAt: string | null
}

/** Stored facets are strings: other subjects may have their own facets. */
export interface TemporalEdge extends Omit<FacetSpan, 'facet' | 'startAt'> {
  readonly id: string
  readonly facet: string
  readonly startAt: string
  readonly agentId: string
  readonly subjectType: string
  readonly subjectId: string
  readonly confidence: number
  readonly createdAt: string
}

/** The id is a hash, so a repeated span is the same edge. */
export function newTemporalEdge(
  { id: subjectId, agentId, createdAt: since }: Pick<Memory, 'id' | 'agentId' | 'createdAt'>,
  span: FacetSpan,
  now: string,
): TemporalEdge {
  const subjectType = 'memory'
  const startAt = span.startAt ?? earlierOf(since, span.endAt)
  const identity = [agentId, subjectType, subjectId, span.facet, startAt]
  const id = createHash('sha256').update(identity.join('\0')).digest('hex').slice(0, 32)
  return { ...span, startAt, id, agentId, subjectType, subjectId, confidence: 1, createdAt: now }
}

function earlierOf(since: string, end: string | null): string {
  return end !== null && end < since ? end : since
}
