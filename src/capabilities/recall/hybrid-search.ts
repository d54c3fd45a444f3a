import { callMembers } from '../../kernel/capability/extension-point.ts'
import type { SearchRequest } from '../memory/index.ts'
import { explainConfidence } from './answers/confidence.ts'
import { explainQuestion, type QuestionExplanation } from './answers/explain-question.ts'
import { type RankedHit, rankAnswers } from './answers/rank-answers.ts'
import { applyBoosts, usageOf } from './boosts.ts'
import { type RecallQuery, searchEngine } from './engine-search.ts'
import { applyCurrentness, describeEntities, readCurrentness } from './graph-context.ts'
import { type Scored, searchTextIndex } from './lexical-search.ts'
import { mergeGraph } from './merge-graph.ts'
import type { DescribedEntity, RecallNeeds } from './needs.ts'
import type { Degradation } from './replies.ts'
import { type Candidate, toRow } from './result.ts'
import { coverageOf, parseQueryWords, type QueryWords } from './words.ts'

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
  /** The entities that the query names. */
  readonly described?: readonly DescribedEntity[]
  /** Whether a larger limit may return more candidates. */
  readonly mayHaveMore: boolean
  /** With `explain`: what was read from the question. */
  readonly explanation?: QuestionExplanation
}

/** Searches the engine, or the text index of the database while the engine is unavailable; adds graph hits and boosts. */
export async function hybridSearch(
  needs: HybridSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
): Promise<RankedAnswer> {
  const { search } = needs.memory
  const { stopwatch, query } = question
  const [{ scored: direct, degradation, isFull, ...answered }, ranged, linked] = await Promise.all([
    searchDirect(needs, question, request),
    searchRange(needs, question, request),
    stopwatch.measure('graph', () => searchGraph(needs, question, request)),
  ])
  const scored = mergeRanged(direct, ranged)
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
  const [feedback, currentness, described] = await stopwatch.measure('worth', () =>
    Promise.all([
      search.readFeedbackStats(idsWithoutStats, reader),
      readCurrentness(needs, request, hits),
      linked && linked.length > 0 ? describeEntities(needs, request, query) : [],
    ]),
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
  const boosted = hits
    .map((hit) => applyCurrentness(applyBoosts(hit, context), currentness))
    .toSorted(byScore)
  const answerHits = boosted.map((hit) => ({
    ...toAnswerHit(hit, words),
    isSuperseded: currentness.get(hit.found.memory.id) === 'superseded',
  }))
  const answerQuestion = { query, range: question.range, ...answered }
  const answers = rankAnswers(answerHits, answerQuestion)
  return {
    ...(question.explain && { explanation: explainQuestion(answerQuestion, answerHits) }),
    candidates: answers.map((answer) =>
      toCandidate(answer, { explain: question.explain, characters }),
    ),
    method: scored.some(({ source }) => source === 'vector' || source === 'hybrid')
      ? 'hybrid'
      : 'keyword',
    degradation: linked ? degradation : addMissingStage('graph', degradation),
    described,
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
    const { scored, isFull, corrections, withoutVectors, withoutSpelling, vectorKind } = result
    const spelling = withoutSpelling ? addMissingStage('spelling', undefined) : undefined
    const degradation = withoutVectors
      ? { stages: ['vectors', ...(spelling?.stages ?? [])], cause: withoutVectors }
      : spelling
    return { scored, isFull, corrections, degradation, vectorKind }
  }
  const scored = await question.stopwatch.measure('words', () =>
    searchTextIndex(needs.memory.search, question, request),
  )
  const degradation = { stages: ['index', 'vectors'], cause: result.cause }
  const isFull = scored.length >= request.limit
  return { scored, isFull, corrections: [], degradation, vectorKind: 'static' as const }
}

/** Searches the time that the query names, so that its hits are among the candidates. */
async function searchRange(
  needs: HybridSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
): Promise<readonly Scored[]> {
  const { range } = question
  const { since, until, during } = request.filters
  if (!range || since || until || during) return []
  const before = range.end && new Date(Date.parse(range.end) - 1).toISOString()
  const filters = { ...request.filters, since: range.start, until: before }
  const { scored } = await searchDirect(needs, question, { ...request, filters })
  return scored
}

/** Each memory once, with the higher score. */
function mergeRanged(direct: readonly Scored[], ranged: readonly Scored[]): readonly Scored[] {
  if (ranged.length === 0) return direct
  const best = new Map(direct.map((hit) => [hit.found.memory.id, hit]))
  for (const hit of ranged) {
    const { id } = hit.found.memory
    if (hit.score > (best.get(id)?.score ?? 0)) best.set(id, hit)
  }
  return [...best.values()]
}

function addMissingStage(stage: string, degradation: Degradation | undefined): Degradation {
  const { stages = [], cause = `${stage}_unavailable` } = degradation ?? {}
  return { stages: [...stages, stage], cause }
}

interface RowOptions {
  readonly explain: boolean
  readonly characters: number
}

/** A hit of the database or the graph has no evidence of the engine. */
function toAnswerHit(scored: Scored, words: () => QueryWords) {
  const { content, who, agentId, project, createdAt } = scored.found.memory
  const { score, source, evidence, isTurn = false } = scored
  const isLinked = source === 'structured' || source === 'traversal'
  const lexical = Math.max(coverageOf(words(), content), isLinked ? score : 0)
  return {
    content,
    who,
    agentId,
    project,
    createdAt,
    score,
    isTurn,
    scored,
    evidence: evidence ?? {
      lexical,
      soft: 0,
      hint: source === 'hint' ? score : 0,
      vector: undefined,
    },
  }
}

function toCandidate(
  {
    hit: { scored },
    score,
    confidence,
    features,
    stages,
    outdatedBy,
  }: RankedHit<ReturnType<typeof toAnswerHit>>,
  { explain, characters }: RowOptions,
): Candidate {
  const { memory } = scored.found
  const row = {
    ...toRow(memory, { score, source: scored.source, characters }),
    confidence: roundConfidence(confidence),
    ...(outdatedBy && { outdated_by: outdatedBy.scored.found.memory.id }),
  }
  const allStages = [...scored.stages, ...stages]
  const explained = () => ({ stages: allStages, confidence: explainConfidence(features) })
  return {
    memory,
    isTurn: scored.isTurn ?? false,
    row: explain ? { ...row, explain: explained() } : row,
  }
}

function roundConfidence(confidence: number): number {
  return Math.round(100 * confidence) / 100
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
