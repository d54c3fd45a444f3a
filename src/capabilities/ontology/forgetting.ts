import type { AgentRemoval, EvidenceDependant } from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { WithheldEntities } from '../knowledge/index.ts'
import { type EvidenceItem, parseItem } from './evidence/evidence.ts'
import type { OntologyOptions } from './needs.ts'
import type { Origin } from './proposal.ts'
import { findAssertion, updateAssertion } from './store/assertions.ts'
import { deleteChanges } from './store/changes.ts'
import * as store from './store/forgetting.ts'
import { findProposal, updateProposal } from './store/proposals.ts'

type Needs = Pick<OntologyOptions, 'host'>

/** Proposals, audit rows and assertions follow the sources that they cite. */
export function createEvidenceDependant({ host }: Needs): EvidenceDependant {
  const now = () => host.now().toISOString()
  return {
    forgotten: async (db, change) =>
      store.syncWithheld(db, await store.markLost(db, change, now()), now()),
    recovered: async (db, change) =>
      store.syncWithheld(db, await store.markLost(db, change, null), now()),
    purged: async (db, change) => {
      const supported = await eraseUnsupported(db, change)
      // Images contain the quote of the purged source.
      await deleteChanges(db, [...supported])
      for (const id of supported) await removeItems(db, change, id)
    },
  }
}

/** Deletes what only these sources supported. Returns the ids of the rest. */
async function eraseUnsupported(db: Db, change: Parameters<typeof store.deleteSources>[1]) {
  const ids = await store.deleteSources(db, change)
  const supported = await store.listSupported(db, ids)
  await store.deleteSubjects(
    db,
    ids.filter((id) => !supported.has(id)),
  )
  return supported
}

/** Hides the operations on withheld entities that name no source, or shows them again. */
export async function followEntities(
  db: Db,
  { agentId, ids, withheldAt }: WithheldEntities,
  at: string,
): Promise<void> {
  const change = { agentId, kind: 'entity', ids } as const
  await store.syncWithheld(db, await store.markLost(db, change, withheldAt), at)
}

type Change = Parameters<EvidenceDependant['purged']>[1]

/** Cuts the purged items out of the evidence of a proposal or an assertion that stays. */
async function removeItems(db: Db, change: Change, id: string): Promise<void> {
  const proposal = await findProposal(db, change.agentId, id)
  if (proposal) return updateProposal(db, withoutItems(proposal, change))
  const assertion = await findAssertion(db, change.agentId, id)
  if (assertion) await updateAssertion(db, withoutItems(assertion, change))
}

type Cited = Origin & { readonly evidence: readonly EvidenceItem[] }

function withoutItems<Row extends Cited>(row: Row, { kind, ids }: Change): Row {
  const evidence = row.evidence.filter(
    (item) => !parseItem(item).refs.some((ref) => ref.kind === kind && ids.includes(ref.id)),
  )
  const isSource = ids.includes(row.sourceId ?? '') || ids.includes(row.sourcePath ?? '')
  const source = isSource ? { sourceKind: null, sourceId: null, sourcePath: null } : {}
  return { ...row, ...source, evidence }
}

interface Erased {
  readonly agentId: string
  readonly ids: readonly string[]
  /** The rows and the entities that were merged into them. */
  readonly subjectIds?: readonly string[]
}

/** The rows of the graph are purged: so are the operations that contain their words. */
export async function eraseOperations(
  db: Db,
  { agentId, ids, subjectIds = ids }: Erased,
): Promise<void> {
  await store.deleteSubjects(db, await store.listOperationsOf(db, ids))
  await eraseUnsupported(db, { agentId, kind: 'entity', ids })
  await store.deleteSubjects(db, await store.listAssertionsAbout(db, agentId, subjectIds))
  await store.unlinkClaims(db, ids)
  await store.deleteContradictionsOf(db, ids)
}

export function createAgentRemoval({ host }: Needs): AgentRemoval {
  return {
    archive: (db, agentId) => store.hideAgent(db, agentId, host.now().toISOString()),
    purge: store.deleteAgent,
  }
}
