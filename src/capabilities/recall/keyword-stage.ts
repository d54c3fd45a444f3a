import type { EngineCandidate } from '../../search/index.ts'
import type { Found, SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import { hintCap } from './rank.ts'
import type { Scored } from './scored.ts'
import { readWords } from './words.ts'

/** An expression that is longer than this is taken for what it is: no expression. */
const longestExpression = 4000

/** What a keyword query matches, in the syntax of the database's text index; what is no such expression, by its words. */
export async function searchKeywords(
  search: RecallNeeds['memory']['search'],
  keywordQuery: string,
  request: SearchRequest,
): Promise<readonly Found[]> {
  if (keywordQuery.length <= longestExpression) {
    const found = await search.searchExpression(keywordQuery, request)
    if (found) return found
  }
  return search.searchWords(readWords(keywordQuery).tokens, request)
}

interface Counted {
  readonly found: Found
  /** What the index says of the question; undefined where only the keyword query led to it. */
  readonly candidate: EngineCandidate | undefined
  /** Of the best match of the keyword query; 0 where it does not match. */
  readonly share: number
}

/** What a keyword query matches stands in for the question's own words; its meaning and hints count as they are. */
export function weighKeywords({ found, candidate, share }: Counted, alpha: number): Scored {
  const { vector = 0, hint: hinted = 0 } = candidate?.evidence ?? {}
  const meaning = Math.max(0, vector)
  const hint = Math.min(hintCap, hinted)
  const stages = [
    { name: 'keywords', score: share, reason: 'share of the best match of the keyword query' },
    { name: 'vector', score: meaning, reason: 'likeness of the question' },
    { name: 'hints', score: hint, reason: 'share of the question that a hint holds' },
  ].filter(({ score }) => score > 0)
  const direct = weighDirect(share, meaning, alpha)
  const best = hint > 0 && hint >= direct.score ? { score: hint, source: 'hint' as const } : direct
  const fused = {
    name: 'fused',
    score: best.score,
    reason: 'weighed, or the hint where that is more',
  }
  return { found, stages: [...stages, fused], ...best }
}

function weighDirect(share: number, meaning: number, alpha: number) {
  if (share === 0) return { score: meaning, source: 'vector' } as const
  if (meaning === 0) return { score: share, source: 'keyword' } as const
  return { score: alpha * meaning + (1 - alpha) * share, source: 'hybrid' } as const
}

/** Magnitudes mean nothing across questions: they count in proportion to the best of the stage. */
export function toShares(stage: readonly Found[]): ReadonlyMap<string, number> {
  const best = Math.max(...stage.map(({ magnitude }) => magnitude))
  return new Map(stage.map(({ memory, magnitude }) => [memory.id, best > 0 ? magnitude / best : 0]))
}
