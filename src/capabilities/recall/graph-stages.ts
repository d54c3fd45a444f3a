import { callMembers } from '../../kernel/capability/call-members.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { Question } from './index-stages.ts'
import type { RecallNeeds } from './needs.ts'
import type { Scored } from './scored.ts'

type GraphNeeds = Pick<RecallNeeds, 'graph' | 'memory' | 'log'>

/** Adds what the graph leads to; undefined when it fails, for the ranking can do without. */
export async function searchGraph(
  { graph, memory, log }: GraphNeeds,
  { query, now: at }: Pick<Question, 'query' | 'now'>,
  request: SearchRequest,
): Promise<readonly Scored[] | undefined> {
  try {
    const answers = await callMembers(graph, log, (source) => source.search(query, request))
    if (answers.length < graph.list().length) return undefined
    const linked = answers.flat()
    const best = new Map<string, (typeof linked)[number]>()
    for (const link of linked.toSorted((a, b) => b.score - a.score))
      if (!best.has(link.id)) best.set(link.id, link)
    const ids = [...best.keys()].slice(0, request.limit)
    const found = await memory.search.listFound({ ids, at }, request)
    return found.flatMap((one) => {
      const link = best.get(one.memory.id)
      if (!link) return []
      const { score, source, reason } = link
      return [{ found: one, score, source, stages: [{ name: source, score, reason }] }]
    })
  } catch (error) {
    log.warn({ err: error }, 'the graph of knowledge did not answer')
    return undefined
  }
}

/** The better score of a memory counts; what led to it is told of both. */
export function mergeScored(direct: readonly Scored[], linked: readonly Scored[]): Scored[] {
  const all = new Map(direct.map((one) => [one.found.memory.id, one]))
  for (const link of linked) {
    const known = all.get(link.found.memory.id)
    const better = known && known.score > link.score ? known : link
    const merged = { name: 'fused', score: better.score, reason: 'the better of both counts' }
    const stages = known ? [...known.stages, ...link.stages, merged] : link.stages
    all.set(link.found.memory.id, { ...better, stages })
  }
  return [...all.values()]
}
