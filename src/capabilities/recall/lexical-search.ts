import type { Found, SearchRequest } from '../memory/index.ts'
import { searchKeywords, toShares } from './keyword-query.ts'
import type { RecallNeeds } from './needs.ts'
import type { RecallRequest } from './schemas.ts'
import { maxHintScore, type Scored } from './scored.ts'
import { coverageOf, parseQueryWords, type QueryWords } from './words.ts'

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
