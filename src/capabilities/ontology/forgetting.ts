import type { AgentRemoval, EvidenceDependant } from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import { parseItem } from './evidence/evidence.ts'
import type { OntologyOptions } from './needs.ts'
import { deleteChanges } from './store/changes.ts'
import * as store from './store/forgetting.ts'
import { findProposal, updateProposal } from './store/proposals.ts'

type Needs = Pick<OntologyOptions, 'host'>

/** Proposals and audit rows follow the sources that they cite. */
export function createEvidenceDependant({ host }: Needs): EvidenceDependant {
  const now = () => host.now().toISOString()
  return {
    forgotten: async (db, change) =>
      store.syncWithheld(db, await store.markLost(db, change, now()), now()),
    recovered: async (db, change) =>
      store.syncWithheld(db, await store.markLost(db, change, null), now()),
    purged: async (db, change) => {
      const ids = await store.deleteSources(db, change)
      const supported = await store.listSupported(db, ids)
      await store.deleteProposals(
        db,
        ids.filter((id) => !supported.has(id)),
      )
      // Images contain the quote of the purged source.
      await deleteChanges(db, [...supported])
      for (const id of supported) await removeItems(db, change, id)
    },
  }
}

type Change = Parameters<EvidenceDependant['purged']>[1]

/** Cuts the purged items out of the evidence of a proposal that stays. */
async function removeItems(db: Db, { agentId, kind, ids }: Change, id: string): Promise<void> {
  const proposal = await findProposal(db, agentId, id)
  if (!proposal) return
  const evidence = proposal.evidence.filter(
    (item) => !parseItem(item).refs.some((ref) => ref.kind === kind && ids.includes(ref.id)),
  )
  const isSource = ids.includes(proposal.sourceId ?? '')
  const source = isSource ? { sourceKind: null, sourceId: null } : {}
  await updateProposal(db, { ...proposal, ...source, evidence })
}

/** The rows of the graph are purged: so are the operations that contain their words. */
export async function eraseOperations(
  db: Db,
  { ids }: { readonly ids: readonly string[] },
): Promise<void> {
  await store.deleteProposals(db, await store.listOperationsOf(db, ids))
  await store.deleteContradictionsOf(db, ids)
}

export function createAgentRemoval({ host }: Needs): AgentRemoval {
  return {
    archive: (db, agentId) => store.hideAgent(db, agentId, host.now().toISOString()),
    purge: store.deleteAgent,
  }
}
