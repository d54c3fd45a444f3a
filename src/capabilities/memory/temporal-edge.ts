import { createHash } from 'node:crypto'
import type { Memory } from './memory.ts'

/** A time that something is said to have, in one sense of it. ISO; no end is a moment or open. */
export interface FacetSpan {
  readonly facet: 'source' | 'observed' | 'occurred' | 'valid' | 'captured'
  /** Null where only its end is known: since there is its subject. */
  readonly startAt: string | null
  readonly endAt: string | null
}

/** At rest any facet is a word: other subjects may have senses of their own. */
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

/** The same span of the same memory is the same edge, however often it is said. */
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
