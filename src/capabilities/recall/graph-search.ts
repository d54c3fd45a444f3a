import type { Caller } from '../../kernel/auth/caller.ts'
import { callMembers } from '../../kernel/capability/extension-point.ts'
import type { Memory, SearchRequest } from '../memory/index.ts'
import type { RecallQuery } from './engine-search.ts'
import type { Scored } from './lexical-search.ts'
import type { DescribedEntity, GraphAnswer, GraphReading, RecallNeeds } from './needs.ts'
import type { Candidate } from './result.ts'

/** The source type of derived memories. */
const derivedSource = 'ontology'

type GraphNeeds = Pick<RecallNeeds, 'graph' | 'log'>

type GraphHit = GraphAnswer['hits'][number]

/** What the knowledge graph knows of a query. */
interface GraphFindings {
  /** The best hits, each memory once. */
  readonly hits: readonly GraphHit[]
  readonly entities: readonly DescribedEntity[]
  readonly readings: readonly GraphReading[]
}

/** Searches the knowledge graph; undefined on failure, since graph hits are optional. */
export async function searchGraph(
  { graph, log }: GraphNeeds,
  { query }: Pick<RecallQuery, 'query'>,
  request: SearchRequest,
): Promise<GraphFindings | undefined> {
  try {
    const answers = await callMembers(graph, log, (source) => source.search(query, request))
    if (answers.length < graph.list().length) return undefined
    const hits = answers.flatMap((answer) => answer.hits)
    const bestById = new Map<string, GraphHit>()
    for (const link of hits.toSorted((a, b) => b.score - a.score))
      if (!bestById.has(link.id)) bestById.set(link.id, link)
    return {
      hits: [...bestById.values()].slice(0, request.limit),
      entities: answers.flatMap(({ entities }) => entities),
      readings: answers.flatMap(({ readings }) => readings),
    }
  } catch (error) {
    log.warn({ err: error }, 'knowledge graph query failed')
    return undefined
  }
}

/** The memories of the hits that the caller may read; undefined on failure. */
export async function loadGraphHits(
  { memory, log }: Pick<RecallNeeds, 'memory' | 'log'>,
  { hits, now: at }: { readonly hits: readonly GraphHit[] } & Pick<RecallQuery, 'now'>,
  request: SearchRequest,
): Promise<readonly Scored[] | undefined> {
  const byId = new Map(hits.map((hit) => [hit.id, hit]))
  const loaded = await memory.search
    .listFound({ ids: [...byId.keys()], at }, request)
    .catch((error: unknown) => log.warn({ err: error }, 'loading graph hits failed'))
  return loaded?.flatMap((found) => {
    const hit = byId.get(found.memory.id)
    if (!hit) return []
    const { score, source, reason, reading } = hit
    return [{ found, score, source, reading, stages: [{ name: source, score, reason }] }]
  })
}

/** The ids of derived memories. */
export function listDerived(
  memories: readonly Pick<Memory, 'id' | 'sourceType'>[],
): readonly string[] {
  return memories.flatMap(({ id, sourceType }) => (sourceType === derivedSource ? [id] : []))
}

/** The memories that derived memories among these cite; none without derived ones. */
export async function listCited(
  { graph, log }: GraphNeeds,
  { readScope }: Pick<SearchRequest, 'readScope'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
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
  const cited = await listCited(needs, { readScope }, listDerived(memories))
  return [...new Set(memories.flatMap(({ id }) => cited.get(id) ?? [id]))]
}
