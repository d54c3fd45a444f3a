import type { SearchRequest } from '../memory/index.ts'
import { explainConfidence } from './answers/confidence.ts'
import type { RankedHit } from './answers/draft.ts'
import { explainQuestion, type QuestionExplanation } from './answers/explain-question.ts'
import { rankAnswers } from './answers/rank-answers.ts'
import { createTextSimilarity } from './answers/text-similarity.ts'
import { applyBoosts, usageOf } from './boosts.ts'
import { addMissingStage, mergeBest, searchDirect, searchRange } from './direct-search.ts'
import type { RecallQuery } from './engine-search.ts'
import {
  addSuccessors,
  applyCurrentness,
  readSupersession,
  type Supersession,
  selectEntities,
} from './graph-context.ts'
import { listCited, listDerived, loadGraphHits, searchGraph } from './graph-search.ts'
import type { Scored } from './lexical-search.ts'
import { mergeGraph } from './merge-graph.ts'
import type { DescribedEntity, RecallNeeds } from './needs.ts'
import { addReadings } from './reading-search.ts'
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

/** Searches directly and in the graph, applies the boosts and ranks the answers. */
export async function hybridSearch(
  needs: HybridSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
): Promise<RankedAnswer> {
  const { query } = question
  const config = needs.config()
  const { hits, feedback, supersession, ...found } = await findHits(needs, question, request)
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
    .map((hit) => applyCurrentness(applyBoosts(hit, context), supersession))
    .toSorted(byScore)
  const answerHits = boosted.map((hit) => ({
    ...toAnswerHit(hit, words),
    ...toReplacements(hit, supersession),
  }))
  const answerQuestion = { query, range: question.range, ...found.question }
  const similarity = createTextSimilarity(needs.embeddings.embedNow)
  const answers = rankAnswers(answerHits, { ...answerQuestion, similarity })
  const characters = needs.memory.shownCharacters()
  return {
    ...(question.explain && { explanation: explainQuestion(answerQuestion, answerHits) }),
    candidates: answers.map((answer) =>
      toCandidate(answer, { explain: question.explain, characters }),
    ),
    method: found.method,
    degradation: found.degradation,
    described: found.described,
    mayHaveMore: found.mayHaveMore,
  }
}

/** The hits of the query, of its other readings and of the graph, with what boosts need of them. */
async function findHits(needs: HybridSearchNeeds, question: RecallQuery, request: SearchRequest) {
  const { stopwatch } = question
  const [direct, ranged, linked] = await Promise.all([
    searchDirect(needs, question, request),
    searchRange(needs, question, request),
    stopwatch.measure('graph', () => searchGraph(needs, question, request)),
  ])
  const { scored: ownHits, degradation, isFull, ...answered } = direct
  const { hits: links = [], entities = [], readings = [] } = linked ?? {}
  const directHits = mergeBest(ownHits, ranged)
  const readClaims = ({ ids, derived }: ClaimQuery) =>
    ids.length === 0
      ? noClaims
      : stopwatch.measure('claims', () => readClaimsOf(needs, request, { ids, derived }))
  // One message to the database asks for the graph's memories and for the claims of all hits.
  const linkedIds = links.map(({ id }) => id)
  const ofDirect = toClaimQuery(directHits)
  const [loaded, ofKnown] = await Promise.all([
    loadGraphHits(needs, { hits: links, now: question.now }, request),
    readClaims({
      ids: [...new Set([...ofDirect.ids, ...linkedIds])],
      derived: [...new Set([...ofDirect.derived, ...linkedIds])],
    }),
  ])
  const graphHits = loaded ?? []
  const scored = await addReadings(needs, question, { request, readings, direct: directHits })
  const { min_score } = needs.config()
  // The minimum applies before boosts, so recent or often used memories cannot pass it by boosts alone.
  const isAboveMinScore = ({ score, isRelated = false }: Scored) => isRelated || score >= min_score
  const all = [...scored, ...graphHits]
  // Hits loaded by id already carry their feedback.
  const idsWithoutStats = all
    .filter(({ found }) => !found.feedbackStats)
    .map(({ found }) => found.memory.id)
  const reader = { agentId: request.readScope.agentId, at: question.now }
  const known = new Set([...ofDirect.ids, ...linkedIds])
  const [ofOthers, feedback] = await Promise.all([
    readClaims(toClaimQuery(all.filter(({ found }) => !known.has(found.memory.id)))),
    needs.memory.search.readFeedbackStats(idsWithoutStats, reader),
  ])
  const cited = new Map([...ofKnown.cited, ...ofOthers.cited])
  const supersession = {
    states: new Map([...ofKnown.supersession.states, ...ofOthers.supersession.states]),
    successors: new Map([...ofKnown.supersession.successors, ...ofOthers.supersession.successors]),
  }
  const merged = mergeGraph(scored, { hits: graphHits, limit: request.limit, cited })
  const succeeded = await addSuccessors(
    needs,
    { ...request, at: question.now },
    { hits: merged, supersession },
  )
  const usesVectors = ({ source }: Scored) => source === 'vector' || source === 'hybrid'
  const names = readings.flatMap(({ share, text }) => (share === 1 ? [text] : []))
  return {
    hits: succeeded.hits.filter(isAboveMinScore),
    feedback,
    supersession: succeeded.supersession,
    question: { ...answered, readings: names },
    method: scored.some(usesVectors) ? ('hybrid' as const) : ('keyword' as const),
    degradation: linked && loaded ? degradation : addMissingStage('graph', degradation),
    described: selectEntities(entities, request.filters),
    mayHaveMore: isFull && scored.every(isAboveMinScore),
  }
}

/** Which memories replace a hit, by the knowledge graph. */
function toReplacements({ found: { memory } }: Scored, { states, successors }: Supersession) {
  const replacements = successors.get(memory.id)
  const isSuperseded = states.get(memory.id) === 'superseded' && replacements === undefined
  return { id: memory.id, isSuperseded, replacements }
}

interface HitClaims {
  /** The memories that derived hits cite. */
  readonly cited: ReadonlyMap<string, readonly string[]>
  readonly supersession: Supersession
}

const noClaims: HitClaims = {
  cited: new Map(),
  supersession: { states: new Map(), successors: new Map() },
}

/** Memories of which claims are read. */
interface ClaimQuery {
  readonly ids: readonly string[]
  /** Those that may be derived. */
  readonly derived: readonly string[]
}

function toClaimQuery(hits: readonly Scored[]): ClaimQuery {
  const memories = hits.map(({ found }) => found.memory)
  return { ids: memories.map(({ id }) => id), derived: listDerived(memories) }
}

/** What the graph knows of memories. */
async function readClaimsOf(
  needs: HybridSearchNeeds,
  request: SearchRequest,
  { ids, derived }: ClaimQuery,
): Promise<HitClaims> {
  const [cited, supersession] = await Promise.all([
    listCited(needs, request, derived),
    readSupersession(needs, request, ids),
  ])
  return { cited, supersession }
}

interface RowOptions {
  readonly explain: boolean
  readonly characters: number
}

/** A hit of the database or the graph has no evidence of the engine. */
function toAnswerHit(scored: Scored, words: () => QueryWords) {
  const { content, who, agentId, project, createdAt } = scored.found.memory
  const { score, source, evidence, isTurn = false, isRelated = false, reading } = scored
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
    isRelated,
    reading,
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
