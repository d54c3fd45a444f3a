import type { Db } from '../../kernel/db/database.ts'
import { listInvalid, listOpinions } from './store/standing.ts'

/** How a memory stands with an agent at a time. */
export interface Standing {
  /** How often the agent rated it, and the sum of the ratings, each from -1 to 1. */
  readonly ratings: number
  readonly rated: number
  /** False for what is said to be valid at other times only. */
  readonly valid: boolean
}

export async function readStandings(
  db: Db,
  ids: readonly string[],
  { agentId, at }: { readonly agentId: string; readonly at: string },
): Promise<ReadonlyMap<string, Standing>> {
  if (ids.length === 0) return new Map()
  const [opinions, invalid] = await Promise.all([
    listOpinions(db, agentId, ids),
    listInvalid(db, ids, at),
  ])
  const byId = new Map(opinions.map((opinion) => [opinion.memoryId, opinion]))
  return new Map(
    ids.map((id) => {
      const { ratings = 0, rated = 0 } = byId.get(id) ?? {}
      return [id, { ratings, rated, valid: !invalid.has(id) }]
    }),
  )
}
