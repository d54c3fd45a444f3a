import type { EngineCandidate } from '../../search/index.ts'
import type { Found, SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import { maxHintScore, type Scored } from './scored.ts'
import { parseQueryWords } from './words.ts'

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
