import type { EngineCandidate } from '../../search/index.ts'
import type { Found, SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import type { RecallRequest } from './schemas.ts'
import { coverageOf, parseQueryWords, type QueryWords } from './words.ts'

/** Maximum score of hits by hints alone, because hints are derived text. */
export const maxHintScore = 0.75

/** The score of a memory at one ranking stage, with the reason. */
export interface ExplainStage {
  readonly name: string
  /** Evidence of the stage up to `fused`; after it, the score after the stage. */
  readonly score: number
  readonly reason?: string | undefined
}

type HitSource = 'hybrid' | 'vector' | 'keyword' | 'hint' | 'structured' | 'traversal'

/** A hit with its score: 0 to 1 before boosts. */
export interface Scored {
  readonly found: Found
  readonly score: number
  readonly source: HitSource
  /** Share of the query that near-synonyms in the memory cover, 0 to 1; 0 if unknown. */
  readonly termSimilarity?: number
  /** The evidence of the engine; absent where the database or the graph found the hit. */
  readonly evidence?: EngineCandidate['evidence']
  readonly isTurn?: boolean
  /** Found by rare terms of the best note only. */
  readonly isRelated?: boolean
  /** The text of the reading of the query that found it, where it is not the query itself. */
  readonly reading?: string | undefined
  /** The explain stages of the score. */
  readonly stages: readonly ExplainStage[]
}

/** A lower term coverage of the best row scales all scores down in proportion. */
const minFullCoverage = 0.25

type LexicalQuery = Pick<RecallRequest, 'query' | 'keywordQuery'>
type Search = RecallNeeds['memory']['search']

/** Searches the text index of the database; vectors do not count. */
export async function searchTextIndex(
  search: Search,
  { query, keywordQuery }: LexicalQuery,
  request: SearchRequest,
): Promise<Scored[]> {
  const words = parseQueryWords(query)
  const [direct, pairs, hints] = await Promise.all([
    keywordQuery === undefined
      ? search.searchWords(words.tokens, request)
      : searchKeywords(search, keywordQuery, request),
    words.pairs.length > 0 ? search.searchPieces(words.pairs, request) : [],
    search.searchHintWords(words.tokens, request),
  ])
  return mergeHits({ direct, pairs: pairs, hints }, keywordQuery === undefined ? words : undefined)
}

interface LexicalHits {
  readonly direct: readonly Found[]
  readonly pairs: readonly Found[]
  readonly hints: readonly Found[]
}

/** Merges the hits by memory and combines their evidence. */
function mergeHits({ direct, pairs, hints }: LexicalHits, words: QueryWords | undefined): Scored[] {
  const [textShares, pairShares, hintShares] = [toShares(direct), toShares(pairs), toShares(hints)]
  const all = new Map([...hints, ...pairs, ...direct].map((found) => [found.memory.id, found]))
  const [best] = direct.length > 0 ? direct : pairs
  const coverage = words && best ? coverageOf(words, best.memory.content) : 1
  return [...all.values()].map((found) => {
    const { id } = found.memory
    const text = Math.max(textShares.get(id) ?? 0, pairShares.get(id) ?? 0)
    const hint = hintShares.get(id) ?? 0
    const stages = [
      { name: 'words', score: text, reason: 'share of the best match' },
      { name: 'hints', score: hint, reason: 'share of the best hint' },
    ].filter(({ score }) => score > 0)
    const scored = combineEvidence({ text, hint }, coverage)
    const reason = 'the higher score, scaled by the term coverage of the best row'
    return { found, stages: [...stages, { name: 'fused', score: scored.score, reason }], ...scored }
  })
}

/** Evidence of each stage, relative to its best hit; 0 without a match. */
interface TextEvidence {
  readonly text: number
  readonly hint: number
}

interface TextScore {
  readonly score: number
  readonly source: 'keyword' | 'hint'
}

/**
 * Scales text scores down if even the best row matches few query terms.
 * `coverage` is the share of query terms in that row, 0..1.
 */
export function combineEvidence({ text, hint }: TextEvidence, coverage: number): TextScore {
  const textScore = text * Math.min(1, coverage / minFullCoverage)
  const hintScore = Math.min(maxHintScore, hint)
  return hintScore > 0 && hintScore >= textScore
    ? { score: hintScore, source: 'hint' }
    : { score: textScore, source: 'keyword' }
}

/** Longer expressions are searched as plain words. */
const maxExpressionLength = 4000

/** Searches an FTS expression; an invalid expression is searched as plain words. */
export async function searchKeywords(
  search: RecallNeeds['memory']['search'],
  keywordQuery: string,
  request: SearchRequest,
): Promise<readonly Found[]> {
  if (keywordQuery.length <= maxExpressionLength) {
    const hits = await search.searchExpression(keywordQuery, request)
    if (hits) return hits
  }
  return search.searchWords(parseQueryWords(keywordQuery).tokens, request)
}

interface KeywordMatch {
  readonly found: Found
  /** The hit of the engine; undefined when only the keyword query matches. */
  readonly candidate: EngineCandidate | undefined
  /** Score relative to the best match of the keyword query; 0 without a match. */
  readonly share: number
}

/** The keyword query replaces the terms of the query; vector and hint evidence still count. */
export function scoreKeywordMatch(
  { found, candidate, share }: KeywordMatch,
  alpha: number,
): Scored {
  const { vector = 0, hint: hintEvidence = 0 } = candidate?.evidence ?? {}
  const vectorScore = Math.max(0, vector)
  const hint = Math.min(maxHintScore, hintEvidence)
  const stages = [
    { name: 'keywords', score: share, reason: 'share of the best match of the keyword query' },
    { name: 'vector', score: vectorScore, reason: 'similarity to the query' },
    { name: 'hints', score: hint, reason: 'share of the query terms in a hint' },
  ].filter(({ score }) => score > 0)
  const direct = scoreDirect(share, vectorScore, alpha)
  const best = hint > 0 && hint >= direct.score ? { score: hint, source: 'hint' as const } : direct
  const fused = {
    name: 'fused',
    score: best.score,
    reason: 'weighted sum, or the hint score if higher',
  }
  return { found, stages: [...stages, fused], ...best }
}

function scoreDirect(share: number, vectorScore: number, alpha: number) {
  if (share === 0) return { score: vectorScore, source: 'vector' } as const
  if (vectorScore === 0) return { score: share, source: 'keyword' } as const
  return { score: alpha * vectorScore + (1 - alpha) * share, source: 'hybrid' } as const
}

/** Magnitudes are not comparable across queries, so they are divided by the best one. */
export function toShares(hits: readonly Found[]): ReadonlyMap<string, number> {
  const best = Math.max(...hits.map(({ magnitude }) => magnitude))
  return new Map(hits.map(({ memory, magnitude }) => [memory.id, best > 0 ? magnitude / best : 0]))
}
