import type { z } from 'zod'
import type { OntologyNeeds } from '../needs.ts'
import { listConflicts } from '../proposals/conflicts.ts'
import { listProposals } from '../store/proposals.ts'
import type { consolidateBody } from './schemas.ts'

const maxConflicts = 500

/** Without a model there are no new proposals; the conflicts of pending ones are listed. */
export async function consolidate(
  needs: OntologyNeeds,
  agentId: string,
  { status = 'pending', limit, write_proposals: writes = false }: z.output<typeof consolidateBody>,
) {
  const proposals = await listProposals(needs.db, agentId, { status, limit, offset: 0 })
  const { items: conflicts } = await listConflicts(needs, agentId, maxConflicts)
  return {
    sourceProposalCount: proposals.length,
    proposals: [],
    items: [],
    count: 0,
    writtenCount: 0,
    dryRun: !writes,
    consolidationMode: 'noop' as const,
    providerName: null,
    summary: `Read ${proposals.length} ${status} proposals; ${conflicts.length} slots conflict.`,
    rejections: [],
    conflicts,
    maintenance: [],
    warnings: ['No model consolidates proposals. Apply or reject them one by one.'],
  }
}
