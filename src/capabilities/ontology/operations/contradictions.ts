import type { Db } from '../../../kernel/db/database.ts'
import type { GraphWrite } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import {
  deleteContradiction,
  insertContradictions,
  listContradictionsOf,
  updateContradiction,
} from '../store/contradictions.ts'
import type { NewContradiction } from './operation.ts'

/** Stores new contradictions, and updates those whose values changed. */
export async function saveContradictions(
  needs: Pick<OntologyNeeds, 'knowledge'>,
  { db, agentId, at, changes }: GraphWrite,
  added: readonly NewContradiction[],
): Promise<void> {
  const fields = { agentId, status: 'open', createdAt: at, reconciledAt: null } as const
  await insertContradictions(
    db,
    added.map((one) => ({ ...one, ...fields })),
  )
  const claimIds = changes.flatMap(({ table, rowId }) =>
    table === 'entityAttributes' ? [rowId] : [],
  )
  await syncContradictions(needs, db, { agentId, at, claimIds: [...new Set(claimIds)] })
}

interface Changed {
  readonly agentId: string
  readonly at: string
  readonly claimIds: readonly string[]
}

/** Open while both values are active. It goes with either of them. */
async function syncContradictions(
  { knowledge }: Pick<OntologyNeeds, 'knowledge'>,
  db: Db,
  { agentId, at, claimIds }: Changed,
): Promise<void> {
  for (const contradiction of await listContradictionsOf(db, claimIds)) {
    const { id, attributeId, otherId } = contradiction
    const claim = await knowledge.write.findClaim(db, agentId, attributeId)
    const other = await knowledge.write.findClaim(db, agentId, otherId)
    if (!claim || !other) {
      await deleteContradiction(db, id)
      continue
    }
    const isOpen = claim.status === 'active' && other.status === 'active'
    const status = isOpen ? 'open' : 'reconciled'
    if (status === contradiction.status) continue
    await updateContradiction(db, { id, status, reconciledAt: isOpen ? null : at })
  }
}
