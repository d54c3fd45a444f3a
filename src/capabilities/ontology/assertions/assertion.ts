import type { EvidenceItem } from '../evidence/evidence.ts'
import type { Origin } from '../proposal.ts'

export const predicates = [
  'claims',
  'believes',
  'observed',
  'decided',
  'prefers',
  'denies',
  'questions',
] as const

export const assertionStatuses = ['active', 'archived', 'superseded'] as const

/** A statement of a speaker about an entity, with its source. It is no claim of the graph. */
export interface Assertion extends Origin {
  readonly id: string
  readonly agentId: string
  /** The agent that observed it. */
  readonly observerId: string
  readonly subjectEntityId: string
  /** The claim value that it supports or denies. */
  readonly claimAttributeId: string | null
  readonly predicate: (typeof predicates)[number]
  readonly content: string
  readonly normalizedContent: string
  readonly speaker: string | null
  readonly assertedAt: string
  readonly confidence: number
  readonly evidence: readonly EvidenceItem[]
  /** The session in which it was written. */
  readonly sessionKey: string | null
  readonly visibility: 'global' | 'private'
  readonly status: (typeof assertionStatuses)[number]
  readonly supersedesAssertionId: string | null
  readonly archivedAt: string | null
  readonly archivedBy: string | null
  readonly archiveReason: string | null
  readonly createdBy: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Set while all its evidence is forgotten. */
  readonly withheldAt: string | null
  /** Set while its subject is withheld. */
  readonly subjectWithheldAt: string | null
}
