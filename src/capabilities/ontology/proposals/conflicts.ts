import { normalizeValue, toCanonicalKey, toCanonicalName } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import type { Proposal } from '../proposal.ts'
import { listProposals } from '../store/proposals.ts'

/** Pending values of one slot that differ. */
export async function listConflicts(
  { db }: Pick<OntologyNeeds, 'db'>,
  agentId: string,
  limit: number,
) {
  const filter = { status: 'pending', operation: 'add_claim_value', limit, offset: 0 } as const
  const pending = await listProposals(db, agentId, filter)
  const slots = Map.groupBy(pending.flatMap(toValue), ({ slot }) => slot)
  const items = [...slots.values()].flatMap((values) => {
    const distinct = new Set(values.map(({ value }) => normalizeValue(value)))
    const [first] = values
    if (!first || distinct.size < 2) return []
    const { entity, aspect, groupKey, claimKey } = first
    const proposalIds = values.map(({ proposal }) => proposal.id)
    const listed = values.map(({ proposal, value }) => ({
      proposalId: proposal.id,
      value,
      confidence: proposal.confidence,
      rationale: proposal.rationale,
      evidenceCount: proposal.evidence.length,
    }))
    return [
      { entity, aspect, groupKey, claimKey, values: listed, proposalIds, count: values.length },
    ]
  })
  return { items, count: items.length }
}

function toValue(proposal: Proposal) {
  const text = (name: string) => {
    const field = proposal.payload[name]
    return typeof field === 'string' ? field : ''
  }
  const entity = text('entity').trim()
  const aspect = text('aspect').trim()
  const groupKey = toCanonicalKey(text('group_key') || 'general')
  const claimKey = toCanonicalKey(text('claim_key') || text('claim'))
  const value = text('value')
  if ([entity, aspect, claimKey, value].includes('')) return []
  const names = [toCanonicalName(entity), toCanonicalName(aspect), groupKey, claimKey]
  return [{ proposal, slot: JSON.stringify(names), entity, aspect, groupKey, claimKey, value }]
}
