import type { Db } from '../../../kernel/db/database.ts'
import { listHubMemories } from '../store/degrees.ts'
import type { Degrees } from '../store/rows.ts'

const hubFactor = 0.7
/** In a smaller graph every entity is close to every other one. */
const minEntities = 20

interface Dampened<Hit> {
  readonly hits: readonly Hit[]
  readonly degrees: Pick<Degrees, 'entities' | 'p90'>
}

/** Memories that are only about hubs, which are linked to almost everything, say less. */
export async function dampenHubs<Hit extends { readonly id: string; readonly score: number }>(
  db: Db,
  agentId: string,
  { hits, degrees }: Dampened<Hit>,
): Promise<readonly Hit[]> {
  if (hits.length === 0 || degrees.entities < minEntities) return hits
  const memoryIds = [...new Set(hits.map(({ id }) => id))]
  const minDegree = Math.max(1, degrees.p90)
  const ofHubs = new Set(await listHubMemories(db, agentId, { memoryIds, minDegree }))
  return hits.map((hit) => (ofHubs.has(hit.id) ? { ...hit, score: hubFactor * hit.score } : hit))
}
