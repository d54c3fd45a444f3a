import type { Found, SearchRequest } from '../memory/index.ts'
import { searchKeywords, toShares } from './keyword-stage.ts'
import type { RecallNeeds } from './needs.ts'
import { toScored } from './rank.ts'
import type { RecallRequest } from './schemas.ts'
import type { Scored } from './scored.ts'
import { coverageOf, readWords, type Words } from './words.ts'

type Asked = Pick<RecallRequest, 'query' | 'keywordQuery'>
type Search = RecallNeeds['memory']['search']

/** What the database's own text index knows of a question; nothing but words counts. */
export async function searchWords(
  search: Search,
  { query, keywordQuery }: Asked,
  request: SearchRequest,
): Promise<Scored[]> {
  const words = readWords(query)
  const [direct, pieces, hints] = await Promise.all([
    keywordQuery === undefined
      ? search.searchWords(words.tokens, request)
      : searchKeywords(search, keywordQuery, request),
    words.pairs.length > 0 ? search.searchPieces(words.pairs, request) : [],
    search.searchHintWords(words.tokens, request),
  ])
  return merge({ direct, pieces, hints }, keywordQuery === undefined ? words : undefined)
}

interface Stages {
  readonly direct: readonly Found[]
  readonly pieces: readonly Found[]
  readonly hints: readonly Found[]
}

/** Each memory once, with the evidence of every stage that found it. */
function merge({ direct, pieces, hints }: Stages, words: Words | undefined): Scored[] {
  const [inText, inParts, inHints] = [toShares(direct), toShares(pieces), toShares(hints)]
  const all = new Map([...hints, ...pieces, ...direct].map((found) => [found.memory.id, found]))
  const [best] = direct.length > 0 ? direct : pieces
  const coverage = words && best ? coverageOf(words, best.memory.content) : 1
  return [...all.values()].map((found) => {
    const { id } = found.memory
    const text = Math.max(inText.get(id) ?? 0, inParts.get(id) ?? 0)
    const hint = inHints.get(id) ?? 0
    const stages = [
      { name: 'words', score: text, reason: 'share of the best match' },
      { name: 'hints', score: hint, reason: 'share of the best hint' },
    ].filter(({ score }) => score > 0)
    const scored = toScored({ text, hint }, coverage)
    const reason = 'the better, by how many of the words the best row holds'
    return { found, stages: [...stages, { name: 'fused', score: scored.score, reason }], ...scored }
  })
}
