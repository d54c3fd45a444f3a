import type { Db } from '../../../kernel/db/database.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import { listRecentClaims, listUncited } from '../store/hygiene.ts'

const maxScanned = 5_000

/** Active claims without a citation, and those whose memories are all superseded. */
export async function listWeakClaims(
  { db, memory }: Pick<KnowledgeNeeds, 'db' | 'memory'>,
  agentId: string,
  limit: number,
) {
  const uncited = await listUncited(db, agentId, limit)
  const outdated = await listOutdated({ db, memory }, agentId)
  return [
    ...uncited.map((claim) => ({ ...claim, reason: 'no_citation' as const })),
    ...outdated.map((claim) => ({ ...claim, reason: 'superseded_evidence' as const })),
  ].slice(0, limit)
}

async function listOutdated(
  { db, memory }: { db: Db; memory: KnowledgeNeeds['memory'] },
  agentId: string,
) {
  const cited = await listRecentClaims(db, agentId, maxScanned)
  const memoryIds = [...new Set(cited.map(({ sourceId }) => sourceId))]
  const superseded = new Set(await memory.selection.listSuperseded(db, memoryIds))
  const byClaim = Map.groupBy(cited, ({ id }) => id)
  return [...byClaim.values()].flatMap((citations) => {
    const isOutdated = citations.every(
      ({ sourceId, sourceKind }) => sourceKind === 'memory' && superseded.has(sourceId),
    )
    const [claim] = citations
    if (!isOutdated || !claim) return []
    const { id, entityId, entityName, claimKey } = claim
    return [{ id, entityId, entityName, claimKey }]
  })
}
