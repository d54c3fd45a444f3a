import { createHash } from 'node:crypto'
import type { Memory } from './memory.ts'

/** A time that something is said to have, in one sense of it. ISO; no end is a moment or open. */
export interface Span {
  readonly facet: 'source' | 'observed' | 'occurred' | 'valid' | 'captured'
  readonly startAt: string
  readonly endAt: string | null
}

/** At rest any facet is a word: other subjects may have senses of their own. */
export interface TemporalEdge extends Omit<Span, 'facet'> {
  readonly id: string
  readonly facet: string
  readonly agentId: string
  readonly subjectType: string
  readonly subjectId: string
  readonly confidence: number
  readonly createdAt: string
}

/** The same span of the same memory is the same edge, however often it is said. */
export function newTemporalEdge(
  { id: subjectId, agentId }: Pick<Memory, 'id' | 'agentId'>,
  span: Span,
  now: string,
): TemporalEdge {
  const subjectType = 'memory'
  const identity = [agentId, subjectType, subjectId, span.facet, span.startAt]
  const id = createHash('sha256').update(identity.join('\0')).digest('hex').slice(0, 32)
  return { ...span, id, agentId, subjectType, subjectId, confidence: 1, createdAt: now }
}
