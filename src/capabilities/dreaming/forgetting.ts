import type { AgentRemoval, EvidenceDependant } from '../../kernel/capability/capability.ts'
import { deleteEntries } from './store/evidence.ts'
import { deletePagesOf } from './store/pages.ts'
import * as store from './store/removal.ts'

const gone = 'evidence_gone: The source of the operation is gone.'

/** Plans, facts and what has been read follow the sources, in the transaction of their change. */
export const evidenceDependant: EvidenceDependant = {
  forgotten: async (db, change) => {
    await store.markFacts(db, change, 'lost')
    for (const position of await store.listCiting(db, change))
      await store.markPlanned(db, position, { from: 'planned', gone })
    const { agentId, kind: sourceKind, ids } = change
    await deleteEntries(db, agentId, { sourceKind, ids })
  },
  recovered: async (db, change) => {
    await store.markFacts(db, change, 'live')
    for (const position of await store.listCiting(db, change))
      await store.markPlanned(db, position, { from: 'refused', gone })
    const { agentId, kind: sourceKind, ids } = change
    // The source is read again: it may have been forgotten before a pass read it.
    await deleteEntries(db, agentId, { sourceKind, ids })
  },
  purged: async (db, change) => {
    for (const position of await store.listCiting(db, change))
      await store.eraseOperation(db, position)
    await store.deleteSources(db, change)
    await store.deleteQuotingAttention(db, change)
    await store.deleteTraces(db, change.agentId, change.ids)
    const refs = change.ids.map((id) => `${change.kind}:${id}`)
    await deletePagesOf(db, change.agentId, refs)
  },
}

/** The rows of an archived agent are deleted: they only repeat what its evidence says. */
export const agentRemoval: AgentRemoval = {
  archive: store.deleteAgent,
  purge: store.deleteAgent,
}
