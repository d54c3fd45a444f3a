import { hash } from 'node:crypto'

export type ClaimKind = 'attribute' | 'constraint' | 'claim'

/** One value of a claim slot, in its stored format. A slot is aspect, group key and claim key. */
export interface Claim {
  readonly id: string
  readonly agentId: string
  readonly entityId: string
  readonly aspectId: string
  /** The derived memory, if any. */
  readonly memoryId: string | null
  readonly kind: ClaimKind
  /** `set`: it replaced the active values of its slot. */
  readonly mode: 'add' | 'set'
  readonly content: string
  readonly normalizedContent: string
  readonly groupKey: string
  readonly claimKey: string
  readonly confidence: number
  readonly importance: number
  /** The newest time of its sources. */
  readonly assertedAt: string
  readonly visibility: 'global' | 'private'
  readonly pinned: 0 | 1
  readonly status: 'active' | 'superseded' | 'deleted'
  readonly supersededBy: string | null
  readonly version: number
  readonly versionRootId: string
  readonly previousAttributeId: string | null
  readonly reviewAfter: string | null
  readonly archivedAt: string | null
  readonly archivedBy: string | null
  readonly archiveReason: string | null
  readonly sourceKind: string | null
  readonly sourceId: string | null
  readonly sourcePath: string | null
  readonly sourceRoot: string | null
  readonly proposalId: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly withheldAt: string | null
}

/** The words of a source that support a row of the graph. */
export interface Citation {
  readonly agentId: string
  readonly subjectType: SubjectType
  readonly subjectId: string
  readonly sourceKind: 'memory' | 'transcript' | 'artifact' | 'summary' | 'ontology_proposal'
  readonly sourceId: string
  readonly quote: string
  readonly quoteHash: string
  readonly sourceTime: string
  readonly visibility: 'global' | 'private'
  readonly project: string | null
  readonly proposalId: string | null
  readonly createdAt: string
  /** Set while the source is forgotten. */
  readonly lostAt: string | null
}

export type SubjectType = 'entity' | 'aspect' | 'claim' | 'link'

export const defaultGroup = 'general'
export const defaultConfidence = 0.7
export const defaultImportance = 0.5
export const maxActiveValues = 2_000
export const maxCitations = 50

const trailingPunctuation = /(?<![.,!?;:])[.,!?;:]+$/

/** Values that differ in case, spacing or trailing punctuation only are equal. */
export function normalizeValue(content: string): string {
  const normalized = content.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  return normalized.replace(trailingPunctuation, '').trim() || normalized
}

/** The text of the derived memory, which can be read without its entity. */
export function renderClaim(
  entityName: string,
  { claimKey, content }: Pick<Claim, 'claimKey' | 'content'>,
): string {
  const isNamed = content.toLowerCase().includes(entityName.toLowerCase())
  return isNamed ? content : `${entityName}, ${claimKey.replaceAll('_', ' ')}: ${content}`
}

/** The later of two ISO times. */
export function laterOf(...times: readonly [string, ...string[]]): string {
  return times.toSorted().at(-1) ?? times[0]
}

export function hashQuote(quote: string): string {
  return hash('sha256', quote).slice(0, 32)
}
