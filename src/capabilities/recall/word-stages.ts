import type { Found, SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import { toScored } from './rank.ts'
import type { RecallRequest } from './schemas.ts'
import type { Scored } from './scored.ts'
import { coverageOf, readWords, type Words } from './words.ts'

/** An expression that is longer than this is taken for what it is: no expression. */
const longestExpression = 4000

type Asked = Pick<RecallRequest, 'query' | 'keywordQuery'>
type Search = RecallNeeds['memory']['search']

/** What the database's own text index knows of a question; nothing but words counts. */
export async function searchWords(
  search: Search,
  asked: Asked,
  request: SearchRequest,
): Promise<Scored[]> {
  const words = readWords(asked.query)
  const [direct, pieces, hints] = await Promise.all([
    searchDirect(search, { ...asked, words }, request),
    words.pairs.length > 0 ? search.searchPieces(words.pairs, request) : [],
    search.searchHintWords(words.tokens, request),
  ])
  return merge({ direct, pieces, hints }, asked.keywordQuery === undefined ? words : undefined)
}

async function searchDirect(
  search: Search,
  { keywordQuery, words }: Asked & { readonly words: Words },
  request: SearchRequest,
): Promise<readonly Found[]> {
  if (keywordQuery === undefined) return search.searchWords(words.tokens, request)
  if (keywordQuery.length <= longestExpression) {
    const found = await search.searchExpression(keywordQuery, request)
    if (found) return found
  }
  return search.searchWords(readWords(keywordQuery).tokens, request)
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
    return { found, stages, ...toScored({ text, hint }, coverage) }
  })
}

/** Magnitudes mean nothing across questions: they count in proportion to the best of the stage. */
function toShares(stage: readonly Found[]): ReadonlyMap<string, number> {
  const best = Math.max(...stage.map(({ magnitude }) => magnitude))
  return new Map(stage.map(({ memory, magnitude }) => [memory.id, best > 0 ? magnitude / best : 0]))
}
