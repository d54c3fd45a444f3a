import type { Db } from '../../../kernel/db/database.ts'
import type { Assertion } from '../assertions/assertion.ts'
import type { Proposal } from '../proposal.ts'

export { listParts } from '../../../kernel/db/insert-rows.ts'

export type ProposalRow = Omit<Proposal, 'payload' | 'evidence' | 'result'> & {
  readonly payload: string
  readonly evidence: string
  readonly result: string | null
}

export type AssertionRow = Omit<Assertion, 'evidence'> & { readonly evidence: string }

/** The source of a proposal or an assertion. */
export interface EvidenceLink {
  readonly subjectId: string
  readonly sourceKind: string
  readonly sourceId: string
  readonly agentId: string
  /** Set while the source is forgotten. */
  readonly lostAt: string | null
}

export interface ChangeRow {
  readonly proposalId: string
  readonly position: number
  readonly agentId: string
  readonly tableName: string
  readonly rowId: string
  /** JSON of the former values; null where the row did not exist. */
  readonly before: string | null
  /** A digest; null where the row was deleted. */
  readonly after: string | null
  readonly createdAt: string
}

/** Two active values of one slot that seem to contradict each other. */
export interface Contradiction {
  readonly id: string
  readonly agentId: string
  readonly attributeId: string
  readonly otherId: string
  readonly reason: 'negation_mismatch' | 'antonym_conflict'
  /** Shared content words. */
  readonly overlap: number
  readonly status: 'open' | 'reconciled'
  readonly createdAt: string
  readonly reconciledAt: string | null
}

type Tables = {
  ontologyProposals: ProposalRow
  ontologyEvidence: EvidenceLink
  ontologyChanges: ChangeRow
  ontologyContradictions: Contradiction
  epistemicAssertions: AssertionRow
}

export const tables = (db: Db) => db.withTables<Tables>()

export function toProposal({ payload, evidence, result, ...row }: ProposalRow): Proposal {
  return {
    ...row,
    payload: JSON.parse(payload),
    evidence: JSON.parse(evidence),
    result: result === null ? null : JSON.parse(result),
  }
}

export function toAssertion({ evidence, ...row }: AssertionRow): Assertion {
  return { ...row, evidence: JSON.parse(evidence) }
}

export function toRow({ payload, evidence, result, ...proposal }: Proposal): ProposalRow {
  return {
    ...proposal,
    payload: JSON.stringify(payload),
    evidence: JSON.stringify(evidence),
    result: result && JSON.stringify(result),
  }
}
