import type { Db } from '../../../kernel/db/database.ts'
import { type EvidenceRef, parseItem } from '../evidence/evidence.ts'
import { resolveItems } from '../evidence/resolve.ts'
import type { OntologyNeeds } from '../needs.ts'
import { toItem } from '../operations/cite-evidence.ts'
import type { Proposal } from '../proposal.ts'
import { listLostEvidence } from '../store/evidence.ts'
import { listProposals, type ProposalFilter } from '../store/proposals.ts'
import { readProposal } from './review.ts'

type Cited = Pick<Proposal, 'id' | 'evidence'>

/** Without the items of forgotten evidence. */
export async function hideLost<Row extends Cited>(
  db: Db,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const lostEvidence = await listLostEvidence(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => withoutLost(row, lostEvidence))
}

function withoutLost<Row extends Cited>(
  row: Row,
  lostEvidence: Awaited<ReturnType<typeof listLostEvidence>>,
): Row {
  if (lostEvidence.length === 0) return row
  const keys = new Set(
    lostEvidence.map((one) => `${one.subjectId} ${one.sourceKind} ${one.sourceId}`),
  )
  const isLost = ({ kind, id }: EvidenceRef) => keys.has(`${row.id} ${kind} ${id}`)
  return { ...row, evidence: row.evidence.filter((item) => !parseItem(item).refs.some(isLost)) }
}

export async function readVisible(
  needs: OntologyNeeds,
  agentId: string,
  id: string,
): Promise<Proposal> {
  const [proposal, lostEvidence] = await Promise.all([
    readProposal(needs, { agentId }, id),
    listLostEvidence(needs.db, [id]),
  ])
  return withoutLost(proposal, lostEvidence)
}

export async function listVisible(needs: OntologyNeeds, agentId: string, filter: ProposalFilter) {
  const proposals = await listProposals(needs.db, agentId, filter)
  const { limit, offset } = filter
  return { items: await hideLost(needs.db, proposals), limit, offset }
}

/** A proposal with the sources that it names. */
export async function readProposalEvidence(needs: OntologyNeeds, agentId: string, id: string) {
  const proposal = await readVisible(needs, agentId, id)
  const named = [...proposal.evidence, toItem(proposal)]
  const items = await resolveItems(needs, agentId, named)
  return { proposal, items, count: items.length }
}
