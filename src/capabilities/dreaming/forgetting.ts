import type {
  AgentRemoval,
  EvidenceChange,
  EvidenceDependant,
} from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import { deleteEntries } from './store/evidence.ts'
import { deletePagesOf } from './store/pages.ts'
import * as store from './store/removal.ts'

const gone = 'evidence_gone: The source of the operation is gone.'

/** Plans, facts and what has been read follow the sources, in the transaction of their change. */
export const evidenceDependant: EvidenceDependant = {
  forgotten: async (db, change) => {
    for (const position of await followSources(db, change, 'lost'))
      await store.markPlanned(db, position, { from: 'planned', gone })
  },
  recovered: async (db, change) => {
    for (const position of await followSources(db, change, 'live'))
      await store.markPlanned(db, position, { from: 'refused', gone })
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

/**
 * Independent statements, sent together. A recovered source is read again: it may have been forgotten
 * before a pass read it. Returns the operations that cite the sources.
 */
async function followSources(db: Db, change: EvidenceChange, state: 'lost' | 'live') {
  const { agentId, kind: sourceKind, ids } = change
  const [positions] = await Promise.all([
    store.listCiting(db, change),
    store.markFacts(db, change, state),
    deleteEntries(db, agentId, { sourceKind, ids }),
  ])
  return positions
}

/** The rows of an archived agent are deleted: they only repeat what its evidence says. */
export const agentRemoval: AgentRemoval = {
  archive: store.deleteAgent,
  purge: store.deleteAgent,
}
