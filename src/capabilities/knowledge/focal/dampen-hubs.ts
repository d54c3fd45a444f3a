import type { Db } from '../../../kernel/db/database.ts'
import { findDegrees, listDegrees, listEntitiesOf } from '../store/degrees.ts'

const hubFactor = 0.7
/** In a smaller graph every entity is close to every other one. */
const minEntities = 20

/** Memories that are only about hubs, which are linked to almost everything, say less. */
export async function dampenHubs<Hit extends { readonly id: string; readonly score: number }>(
  db: Db,
  agentId: string,
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  const known = hits.length === 0 ? undefined : await findDegrees(db, agentId)
  if (!known || known.entities < minEntities) return hits
  const mentions = await listEntitiesOf(db, agentId, [...new Set(hits.map(({ id }) => id))])
  const entityIds = [...new Set(mentions.map(({ entityId }) => entityId))]
  const degrees = await listDegrees(db, agentId, entityIds)
  const byMemory = Map.groupBy(mentions, ({ memoryId }) => memoryId)
  const isHub = ({ entityId }: { readonly entityId: string }) =>
    (degrees.get(entityId) ?? 0) >= Math.max(1, known.p90)
  return hits.map((hit) => {
    const entities = byMemory.get(hit.id) ?? []
    const isOfHubs = entities.length > 0 && entities.every(isHub)
    return isOfHubs ? { ...hit, score: hubFactor * hit.score } : hit
  })
}
