import type { Db } from '../../kernel/db/database.ts'
import type { Standing } from './search-request.ts'
import { listInvalid, listOpinions } from './store/standing.ts'

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
