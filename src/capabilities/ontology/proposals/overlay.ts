import type { Db } from '../../../kernel/db/database.ts'
import { type OverlayMetadata, toCanonicalName } from '../../knowledge/index.ts'
import type { OntologyOptions } from '../needs.ts'
import type { Proposal } from '../proposal.ts'
import { countByStatus, listProposals } from '../store/proposals.ts'
import { hideLost } from './read-proposals.ts'

const maxShown = 100
const maxPreviewLength = 140
const recentMs = 7 * 86_400_000

/** Pending proposals in the overlay of the graph, and the number of recent decisions. */
export function createProposalOverlay(
  needs: Pick<OntologyOptions, 'host' | 'knowledge'>,
): OverlayMetadata {
  return {
    read: async (db, agentId) => {
      const updatedSince = new Date(needs.host.now().getTime() - recentMs).toISOString()
      const page = { status: 'pending', limit: maxShown, offset: 0 } as const
      const pending = await hideLost(db, await listProposals(db, agentId, page))
      const counts = {
        pending: await countByStatus(db, agentId, { status: 'pending' }),
        appliedRecent: await countByStatus(db, agentId, { status: 'applied', updatedSince }),
        failedRecent: await countByStatus(db, agentId, { status: 'failed', updatedSince }),
      }
      const findTarget = await findTargets(needs, db, { agentId, pending })
      const proposals = pending.map((proposal) => toItem(proposal, findTarget(proposal)))
      return { proposals, metadata: { proposals: counts } }
    },
  }
}

interface Target {
  readonly id: string | null
  readonly name: string | null
}

/** The entity that each proposal changes. The name of the payload if no entity has it. */
async function findTargets(
  { knowledge }: Pick<OntologyOptions, 'knowledge'>,
  db: Db,
  { agentId, pending }: { readonly agentId: string; readonly pending: readonly Proposal[] },
): Promise<(proposal: Proposal) => Target> {
  const ids = pending.map(({ payload }) => readText(payload, idFields) ?? '')
  const names = pending.map(({ payload }) => toCanonicalName(readText(payload, nameFields) ?? ''))
  const isGiven = (text: string) => text !== ''
  const byId = await knowledge.subjects.read(db, agentId, ids.filter(isGiven))
  const byName = await knowledge.subjects.listByNames(db, agentId, names.filter(isGiven))
  return ({ payload }) => {
    const name = readText(payload, nameFields)
    const found =
      byId.get(readText(payload, idFields) ?? '') ?? byName.get(toCanonicalName(name ?? ''))
    return found ?? { id: null, name: name ?? null }
  }
}

const idFields = ['entity_id', 'target_id', 'source_entity_id', 'target_entity_id'] as const
const nameFields = ['entity', 'target', 'source_entity', 'target_entity', 'name'] as const
const previewFields = ['value', 'new_value', 'content', 'new_name', 'reason', 'name'] as const

function readText(payload: Proposal['payload'], fields: readonly string[]): string | undefined {
  const values = fields.map((field) => payload[field])
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')
}

function toItem({ payload, ...proposal }: Proposal, target: Target) {
  const { id, operation, confidence, rationale, evidence, updatedAt } = proposal
  const preview = readText(payload, previewFields) ?? readText(payload, nameFields)
  return {
    id,
    operation,
    confidence,
    rationale,
    evidenceCount: evidence.length,
    sourceKind: proposal.sourceKind,
    sourcePath: proposal.sourcePath,
    updatedAt,
    targetEntityId: target.id,
    targetEntityName: target.name,
    targetAspectName: readText(payload, ['aspect']) ?? null,
    preview: preview?.slice(0, maxPreviewLength).toWellFormed() ?? null,
  }
}
