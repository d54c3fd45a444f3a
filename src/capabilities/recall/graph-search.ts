import { callMembers } from '../../kernel/capability/call-members.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { RecallQuery } from './engine-search.ts'
import type { RecallNeeds } from './needs.ts'
import type { Scored } from './scored.ts'

type GraphNeeds = Pick<RecallNeeds, 'graph' | 'memory' | 'log'>

/** Searches the knowledge graph; undefined on failure, since graph hits are optional. */
export async function searchGraph(
  { graph, memory, log }: GraphNeeds,
  { query, now: at }: Pick<RecallQuery, 'query' | 'now'>,
  request: SearchRequest,
): Promise<readonly Scored[] | undefined> {
  try {
    const answers = await callMembers(graph, log, (source) => source.search(query, request))
    if (answers.length < graph.list().length) return undefined
    const hits = answers.flat()
    const bestById = new Map<string, (typeof hits)[number]>()
    for (const link of hits.toSorted((a, b) => b.score - a.score))
      if (!bestById.has(link.id)) bestById.set(link.id, link)
    const ids = [...bestById.keys()].slice(0, request.limit)
    const hydrated = await memory.search.listFound({ ids, at }, request)
    return hydrated.flatMap((found) => {
      const link = bestById.get(found.memory.id)
      if (!link) return []
      const { score, source, reason } = link
      return [{ found, score, source, stages: [{ name: source, score, reason }] }]
    })
  } catch (error) {
    log.warn({ err: error }, 'knowledge graph query failed')
    return undefined
  }
}

/** Keeps the higher score of each memory and the explain stages of both hits. */
export function mergeScored(direct: readonly Scored[], linkedHits: readonly Scored[]): Scored[] {
  const all = new Map(direct.map((hit) => [hit.found.memory.id, hit]))
  for (const link of linkedHits) {
    const existing = all.get(link.found.memory.id)
    const higher = existing && existing.score > link.score ? existing : link
    const merged = { name: 'fused', score: higher.score, reason: 'the higher of both scores' }
    const stages = existing ? [...existing.stages, ...link.stages, merged] : link.stages
    all.set(link.found.memory.id, { ...higher, stages })
  }
  return [...all.values()]
}
