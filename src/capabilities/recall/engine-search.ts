import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { EngineAnswer, EngineCandidate, EngineQuery, VectorKind } from '../../search/index.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { TimeRange } from './answers/time-range.ts'
import {
  type ExplainStage,
  maxHintScore,
  type Scored,
  scoreKeywordMatch,
  searchKeywords,
  toShares,
} from './lexical-search.ts'
import type { RecallNeeds } from './needs.ts'
import type { RecallRequest } from './schemas.ts'

import type { Stopwatch } from './stopwatch.ts'

/** The database searches time ranges that contain more memories. */
const maxRangeIds = 5000

/** The query text and options, its time, and the stopwatch of the recall. */
export interface RecallQuery
  extends Pick<RecallRequest, 'query' | 'keywordQuery' | 'explain' | 'preferredProject'>,
    Pick<EngineQuery, 'now'> {
  /** The query without phrases that select a time. */
  readonly searchText: string
  /** The time that the query names. */
  readonly range?: TimeRange | undefined
  readonly stopwatch: Stopwatch
}

/** The hits of the engine, or the cause why it returned none. */
type EngineSearchResult =
  | {
      readonly scored: readonly Scored[]
      /** Whether the engine returned as many candidates as the limit. */
      readonly isFull: boolean
      readonly withoutVectors: string | undefined
      readonly withoutSpelling: boolean
      readonly vectorKind: VectorKind
      readonly corrections: NonNullable<EngineAnswer['corrections']>
      readonly translations: NonNullable<EngineAnswer['translations']>
    }
  | { readonly cause: string }

type EngineSearchNeeds = Pick<RecallNeeds, 'engine' | 'embeddings' | 'memory' | 'config' | 'log'>

/** Searches the engine by terms and by vector. */
export async function searchEngine(
  needs: EngineSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
): Promise<EngineSearchResult> {
  const { engine, embeddings, config, log, memory } = needs
  const { state } = engine.health()
  if (state !== 'ready') return { cause: state === 'absent' ? 'no_index' : `index_${state}` }
  const range = await listRange(needs, question, request)
  if (range && range.length > maxRangeIds) return { cause: 'range_too_wide' }
  const { searchText, stopwatch } = question
  const embedding = await stopwatch.measure('embed', () => embeddings.embedQuery(searchText))
  const vector = embedding?.vector && { ...embedding, values: embedding.vector }
  const missing = embedding ? 'embedding_late' : 'no_vector'
  const { alpha } = config()
  try {
    const options = { ids: range, vector, alpha }
    const select = memory.search.deferHits(question.now, request)
    const answer = await engine.search({ ...toEngineQuery(question, request, options), select })
    if (answer.degraded) return { cause: answer.degraded }
    stopwatch.add(answer.timings)
    const scored = await hydrateHits(needs, question, { ...answer, request, alpha })
    const isFull = answer.candidates.filter(({ isRelated }) => !isRelated).length >= request.limit
    const { corrections = [], translations = [], withoutSpelling = false } = answer
    const withoutVectors = vector ? answer.withoutVectors : missing
    const vectorKind = vector?.kind ?? 'static'
    return {
      scored,
      isFull,
      corrections,
      translations,
      withoutSpelling,
      withoutVectors,
      vectorKind,
    }
  } catch (error) {
    // The caller falls back to the database and reports the degradation.
    log.warn({ err: error }, 'search engine query failed')
    return { cause: 'index_unavailable' }
  }
}

async function listRange(
  { memory }: EngineSearchNeeds,
  { stopwatch }: RecallQuery,
  request: SearchRequest,
): Promise<readonly string[] | undefined> {
  if (!request.filters.during) return undefined
  return stopwatch.measure('range', () =>
    memory.search.listIds({ ...request, limit: maxRangeIds + 1 }),
  )
}

function toEngineQuery(
  { searchText: text, now, explain, keywordQuery }: RecallQuery,
  { filters: { during, ...filters }, ...request }: SearchRequest,
  options: Pick<EngineQuery, 'ids' | 'vector' | 'alpha'>,
): EngineQuery {
  const withRelated = keywordQuery === undefined
  return { ...request, text, now, explain, withRelated, filters, ...options }
}

interface EngineHits extends Pick<EngineAnswer, 'candidates' | 'selected'> {
  readonly request: SearchRequest
  readonly alpha: number
}

async function hydrateHits(
  { memory: { search } }: EngineSearchNeeds,
  { keywordQuery, stopwatch, now: at }: RecallQuery,
  { candidates, selected, request, alpha }: EngineHits,
): Promise<Scored[]> {
  const ids = candidates.map(({ id }) => id)
  const hydration = selected
    ? search.toDeferredHits(selected)
    : stopwatch.measure('hydrate', () => search.listFound({ ids, at }, request))
  if (keywordQuery === undefined) return scoreCandidates(candidates, await hydration)
  const keywordSearch = stopwatch.measure('keywords', () =>
    searchKeywords(search, keywordQuery, request),
  )
  const [memories, keywordMatches] = await Promise.all([hydration, keywordSearch])
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const shares = toShares(keywordMatches)
  const all = new Map([...keywordMatches, ...memories].map((hit) => [hit.memory.id, hit]))
  return [...all].map(([id, found]) =>
    scoreKeywordMatch({ found, candidate: byId.get(id), share: shares.get(id) ?? 0 }, alpha),
  )
}

/** Drops candidates that the database does not return for this reader. */
function scoreCandidates(
  candidates: EngineAnswer['candidates'],
  hits: readonly Scored['found'][],
): Scored[] {
  const byId = new Map(hits.map((hit) => [hit.memory.id, hit]))
  return candidates.flatMap((candidate) => {
    const { id, source, evidence, isTurn = false, isRelated = false } = candidate
    const memory = byId.get(id)
    const score = source === 'hint' ? Math.min(maxHintScore, candidate.score) : candidate.score
    const stages = toExplainStages(candidate, score)
    const origin = { source, stages, evidence, isTurn, isRelated, termSimilarity: evidence.soft }
    return memory ? [{ found: memory, score, ...origin }] : []
  })
}

function toExplainStages({ source, stages = [] }: EngineCandidate, score: number): ExplainStage[] {
  const hasHintStage = source !== 'hint' || stages.some(({ name }) => name === 'hint')
  const hint = { name: 'hint', score: 0, reason: 'not above the other evidence' }
  const reason = 'all evidence, scaled by the best row and its confidence'
  return [...stages, ...(hasHintStage ? [] : [hint]), { name: 'fused', score, reason }]
}

export interface LexicalSearch {
  readonly text: string
  readonly limit: number
  /** Only memories of this project. */
  readonly project?: string | undefined
}

/** Searches by terms only, without side effects; empty while the engine is unavailable. */
export async function searchLexical(
  { engine, host, log }: Pick<RecallNeeds, 'engine' | 'host' | 'log'>,
  readScope: ReadScope,
  { text, limit, project }: LexicalSearch,
): Promise<readonly Pick<EngineCandidate, 'id' | 'score'>[]> {
  if (engine.health().state !== 'ready') return []
  const now = host.now().toISOString()
  try {
    const filters = { scope: null, project }
    return (await engine.search({ text, readScope, filters, limit, now })).candidates
  } catch (error) {
    // Callers treat these hits as optional.
    log.warn({ err: error }, 'search engine query failed')
    return []
  }
}
