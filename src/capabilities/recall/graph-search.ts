import type { Caller } from '../../kernel/auth/caller.ts'
import { callMembers } from '../../kernel/capability/extension-point.ts'
import type { Memory, SearchRequest } from '../memory/index.ts'
import type { RecallQuery } from './engine-search.ts'
import type { Scored } from './lexical-search.ts'
import type { DescribedEntity, GraphReading, RecallNeeds } from './needs.ts'
import type { Candidate } from './result.ts'

/** The source type of derived memories. */
const derivedSource = 'ontology'

type GraphNeeds = Pick<RecallNeeds, 'graph' | 'memory' | 'log'>

/** What the knowledge graph knows of a query. */
interface GraphFindings {
  readonly hits: readonly Scored[]
  readonly entities: readonly DescribedEntity[]
  readonly readings: readonly GraphReading[]
}

/** Searches the knowledge graph; undefined on failure, since graph hits are optional. */
export async function searchGraph(
  { graph, memory, log }: GraphNeeds,
  { query, now: at }: Pick<RecallQuery, 'query' | 'now'>,
  request: SearchRequest,
): Promise<GraphFindings | undefined> {
  try {
    const answers = await callMembers(graph, log, (source) => source.search(query, request))
    if (answers.length < graph.list().length) return undefined
    const hits = answers.flatMap((answer) => answer.hits)
    const bestById = new Map<string, (typeof hits)[number]>()
    for (const link of hits.toSorted((a, b) => b.score - a.score))
      if (!bestById.has(link.id)) bestById.set(link.id, link)
    const ids = [...bestById.keys()].slice(0, request.limit)
    const hydrated = await memory.search.listFound({ ids, at }, request)
    return {
      hits: hydrated.flatMap((found) => {
        const link = bestById.get(found.memory.id)
        if (!link) return []
        const { score, source, reason, reading } = link
        return [{ found, score, source, reading, stages: [{ name: source, score, reason }] }]
      }),
      entities: answers.flatMap(({ entities }) => entities),
      readings: answers.flatMap(({ readings }) => readings),
    }
  } catch (error) {
    log.warn({ err: error }, 'knowledge graph query failed')
    return undefined
  }
}

/** The memories that derived memories among these cite; none without derived ones. */
export async function listCited(
  { graph, log }: Pick<GraphNeeds, 'graph' | 'log'>,
  { readScope }: Pick<SearchRequest, 'readScope'>,
  memories: readonly Pick<Memory, 'id' | 'sourceType'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = memories.flatMap(({ id, sourceType }) => (sourceType === derivedSource ? [id] : []))
  if (ids.length === 0) return new Map()
  const maps = await callMembers(graph, log, async (source) => source.listCited?.(readScope, ids))
  return new Map(maps.flatMap((cited) => [...(cited ?? [])]))
}

type Needs = Pick<RecallNeeds, 'agents' | 'db' | 'graph' | 'log'>

/** The memories behind the rows. The sources of a derived memory are those that its claim cites. */
export async function listSourceIds(
  needs: Needs,
  caller: Caller,
  candidates: readonly Candidate[],
): Promise<readonly string[]> {
  const memories = candidates.flatMap(({ memory }) => (memory ? [memory] : []))
  const readScope = await needs.agents.readScopeOf(needs.db, caller)
  const cited = await listCited(needs, { readScope }, memories)
  return [...new Set(memories.flatMap(({ id }) => cited.get(id) ?? [id]))]
}
