import type { Db } from '../../../kernel/db/database.ts'
import type { GraphWrite } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import {
  deleteContradiction,
  insertContradictions,
  listContradictions,
  listContradictionsOf,
  updateContradiction,
} from '../store/contradictions.ts'
import type { Contradiction } from '../store/rows.ts'
import type { NewContradiction } from './operation.ts'

const batchSize = 200

interface ContradictionQuery {
  readonly agentId: string
  readonly status: Contradiction['status'] | 'all'
  readonly limit: number
}

/** A contradiction with its values. */
interface VisibleContradiction extends Contradiction {
  readonly entityName: string
  readonly slot: string
  readonly content: string
  readonly otherContent: string
}

/** The newest ones whose values are both visible. */
export async function listVisibleContradictions(
  { knowledge: { subjects } }: Pick<OntologyNeeds, 'knowledge'>,
  db: Db,
  { agentId, status, limit }: ContradictionQuery,
): Promise<VisibleContradiction[]> {
  const visible: VisibleContradiction[] = []
  for (let offset = 0; visible.length < limit; offset += batchSize) {
    const rows = await listContradictions(db, agentId, { status, limit: batchSize, offset })
    const ids = rows.flatMap(({ attributeId, otherId }) => [attributeId, otherId])
    const claims = await subjects.listVisibleClaims(db, agentId, ids)
    for (const row of rows) {
      const [one, other] = [claims.get(row.attributeId), claims.get(row.otherId)]
      if (!one || !other) continue
      const { entityName, groupKey, claimKey, content } = one
      const slot = `${groupKey}/${claimKey}`
      visible.push({ ...row, entityName, slot, content, otherContent: other.content })
    }
    if (rows.length < batchSize) break
  }
  return visible.slice(0, limit)
}

interface AppliedContradictions {
  readonly write: GraphWrite
  readonly contradictions: readonly NewContradiction[]
}

/** Stores new contradictions, and updates those whose values changed. */
export async function saveContradictions(
  needs: Pick<OntologyNeeds, 'knowledge'>,
  db: Db,
  operations: readonly AppliedContradictions[],
): Promise<void> {
  const [first] = operations
  if (!first) return
  const { agentId, at } = first.write
  const fields = { agentId, status: 'open', createdAt: at, reconciledAt: null } as const
  await insertContradictions(
    db,
    operations.flatMap(({ contradictions }) =>
      contradictions.map((one) => ({ ...one, ...fields })),
    ),
  )
  const changes = operations.flatMap(({ write }) => write.changes)
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

/** Open while both values are active. It is deleted with either of them. */
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
