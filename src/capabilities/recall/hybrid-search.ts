import { callMembers } from '../../kernel/capability/call-members.ts'
import type { SearchRequest } from '../memory/index.ts'
import { applyBoosts, usageOf } from './boosts.ts'
import { type RecallQuery, searchEngine } from './engine-search.ts'
import { type Scored, searchTextIndex } from './lexical-search.ts'
import { mergeGraph } from './merge-graph.ts'
import type { RecallNeeds } from './needs.ts'
import type { Degradation } from './replies.ts'
import { type Candidate, toRow } from './result.ts'
import { parseQueryWords, type QueryWords } from './words.ts'

export type HybridSearchNeeds = Pick<
  RecallNeeds,
  'memory' | 'config' | 'engine' | 'embeddings' | 'graph' | 'log'
>

export interface RankedAnswer {
  /** The best first. */
  readonly candidates: readonly Candidate[]
  /** `hybrid` when vectors contributed to the hits. */
  readonly method: 'hybrid' | 'keyword'
  readonly degradation: Degradation | undefined
  /** Whether a larger limit may return more candidates. */
  readonly mayHaveMore: boolean
}

/** Searches the engine, or the text index of the database while the engine is unavailable; adds graph hits and boosts. */
export async function hybridSearch(
  needs: HybridSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
): Promise<RankedAnswer> {
  const { search } = needs.memory
  const { stopwatch, query } = question
  const [{ scored, degradation, isFull }, linked] = await Promise.all([
    searchDirect(needs, question, request),
    stopwatch.measure('graph', () => searchGraph(needs, question, request)),
  ])
  const config = needs.config()
  const characters = needs.memory.shownCharacters()
  // The minimum applies before boosts, so recent or often used memories cannot pass it by boosts alone.
  const isAboveMinScore = ({ score }: Scored) => score >= config.min_score
  const cited = await listCited(needs, request, scored)
  const graphHits = { hits: linked ?? [], limit: request.limit, cited }
  const hits = mergeGraph(scored, graphHits).filter(isAboveMinScore)
  const reader = { agentId: request.readScope.agentId, at: question.now }
  // Hits loaded by id already carry their feedback.
  const idsWithoutStats = hits
    .filter(({ found }) => !found.feedbackStats)
    .map(({ found }) => found.memory.id)
  const feedback = await stopwatch.measure('worth', () =>
    search.readFeedbackStats(idsWithoutStats, reader),
  )
  const now = new Date(question.now)
  const usages = hits.map(({ found }) => usageOf(found, now, config))
  const meanUsage = usages.reduce((sum, usage) => sum + usage, 0) / (usages.length || 1)
  let cachedWords: QueryWords | undefined
  const words = () => {
    cachedWords ??= parseQueryWords(query)
    return cachedWords
  }
  const { preferredProject } = question
  const context = { config, feedback, words, now, meanUsage, preferredProject }
  return {
    candidates: hits
      .map((hit) => applyBoosts(hit, context))
      .toSorted(byScore)
      .map((hit) => toCandidate(hit, { explain: question.explain, characters })),
    method: scored.some(({ source }) => source === 'vector' || source === 'hybrid')
      ? 'hybrid'
      : 'keyword',
    degradation: linked ? degradation : addMissingStage('graph', degradation),
    mayHaveMore: isFull && scored.every(isAboveMinScore),
  }
}

async function searchDirect(
  needs: HybridSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
) {
  const result = await searchEngine(needs, question, request)
  if ('scored' in result) {
    const { scored, isFull, withoutVectors: cause } = result
    return { scored, isFull, degradation: cause ? { stages: ['vectors'], cause } : undefined }
  }
  const scored = await question.stopwatch.measure('words', () =>
    searchTextIndex(needs.memory.search, question, request),
  )
  const degradation = { stages: ['index', 'vectors'], cause: result.cause }
  return { scored, isFull: scored.length >= request.limit, degradation }
}

function addMissingStage(stage: string, degradation: Degradation | undefined): Degradation {
  const { stages = [], cause = `${stage}_unavailable` } = degradation ?? {}
  return { stages: [...stages, stage], cause }
}

interface RowOptions {
  readonly explain: boolean
  readonly characters: number
}

function toCandidate(
  { found, score, source, stages }: Scored,
  { explain, characters }: RowOptions,
): Candidate {
  const { memory } = found
  const row = toRow(memory, { score, source, characters })
  return { memory, row: explain ? { ...row, explain: { stages } } : row }
}

function byScore(a: Scored, b: Scored): number {
  if (a.score !== b.score) return b.score - a.score
  const [x, y] = [a.found.memory, b.found.memory]
  return y.createdAt.localeCompare(x.createdAt) || x.id.localeCompare(y.id)
}

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

/** The memories that derived memories among the hits cite; none without such hits. */
async function listCited(
  { graph, log }: GraphNeeds,
  { readScope }: SearchRequest,
  hits: readonly Scored[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = hits.flatMap(({ found: { memory } }) =>
    memory.sourceType === derivedSource ? [memory.id] : [],
  )
  if (ids.length === 0) return new Map()
  const maps = await callMembers(graph, log, async (source) => source.listCited?.(readScope, ids))
  return new Map(maps.flatMap((cited) => [...(cited ?? [])]))
}

/** The source of memories that are derived from claims. */
const derivedSource = 'ontology'
