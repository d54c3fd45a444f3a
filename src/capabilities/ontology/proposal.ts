import type { EvidenceItem } from './evidence/evidence.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A change of the graph: waiting for review, or the audit row of an applied operation. */
export interface Proposal extends Origin {
  readonly id: string
  readonly agentId: string
  readonly operation: string
  readonly status: 'pending' | 'applied' | 'rejected' | 'failed'
  readonly payload: JsonObject
  readonly confidence: number
  readonly rationale: string
  readonly evidence: readonly EvidenceItem[]
  readonly risk: string | null
  readonly createdBy: string | null
  readonly appliedBy: string | null
  readonly rejectedBy: string | null
  readonly result: JsonObject | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly appliedAt: string | null
  readonly rejectedAt: string | null
  /** The operations that were applied together. */
  readonly batchId: string | null
  /** How the operation arrived: `proposal`, `operations`, `import`, or `dreaming:<pass>`. */
  readonly origin: string | null
  /** The audit row of its undo. */
  readonly undoneBy: string | null
  /** Changed rows. Their images are stored until they expire. */
  readonly imageCount: number
  /** Equal for proposals with the same operation, payload and source. */
  readonly fingerprint: string
  /** Set while all its evidence is forgotten. */
  readonly withheldAt: string | null
}

/** The source that a proposal names as a whole. */
export interface Origin {
  readonly sourceKind: string | null
  readonly sourceId: string | null
  readonly sourcePath: string | null
  readonly sourceRoot: string | null
}

export const proposalStatuses = ['pending', 'applied', 'rejected', 'failed'] as const
export const maxPending = 10_000
/** Of one request. */
export const maxProposals = 500
const minCertainty = 0.5

/** Uncertain changes are marked for review unless the writer chose a risk. */
export function riskOf({ confidence, risk }: Pick<Proposal, 'confidence' | 'risk'>): string | null {
  return risk ?? (confidence < minCertainty ? 'review_required' : null)
}
