import type { Db } from '../../kernel/db/database.ts'
import { splitWords } from './expression.ts'
import type { MemoryHit, SearchRequest } from './search-request.ts'
import { countTerms, searchExpression, searchHints } from './store/search.ts'

/** Ranking costs about 1 µs for each row that holds one of the words; so much a question may cost. */
const mostRanked = 5000

/** Questions this short mean all of their words. */
const mostJoined = 3

/** The best memories for these words, which hold no syntax; common ones are left out when rarer do. */
export async function searchWords(
  db: Db,
  words: readonly string[],
  request: SearchRequest,
): Promise<MemoryHit[]> {
  if (words.length === 0) return []
  const counts = await countWords(db, words)
  const { known, dear } = weigh(words, counts)
  const ranking = dear ? 'newest' : 'best'
  if (words.length <= mostJoined && known.length === words.length) {
    const all = await searchExpression(db, joinAll(words), { ...request, ranking })
    if (all && all.length > 0) return all
  }
  const affordable = afford(known, counts)
  if (affordable.length === 0) return []
  return (await searchExpression(db, joinAny(affordable), { ...request, ranking })) ?? []
}

/** Hints hold words of their own, so none is left out for being unknown to the memories. */
export async function searchHintWords(
  db: Db,
  words: readonly string[],
  request: SearchRequest,
): Promise<MemoryHit[]> {
  if (words.length === 0) return []
  if (words.length <= mostJoined) {
    const all = await searchHints(db, joinAll(words), request)
    if (all && all.length > 0) return all
  }
  return (await searchHints(db, joinAny(words), request)) ?? []
}

type Counts = ReadonlyMap<string, number> | undefined

/** By word; of one with several parts, the rarest counts. Undefined where the engine does not count. */
async function countWords(db: Db, words: readonly string[]): Promise<Counts> {
  const counts = await countTerms(db, [...new Set(words.flatMap(splitWords))])
  if (!counts) return undefined
  const rarest = (word: string) =>
    Math.min(...splitWords(word).map((part) => counts.get(part) ?? 0))
  return new Map(words.map((word) => [word, rarest(word)]))
}

function weigh(words: readonly string[], counts: Counts) {
  if (!counts) return { known: words, dear: false }
  const known = words.filter((word) => (counts.get(word) ?? 0) > 0)
  const rarest = Math.min(...known.map((word) => counts.get(word) ?? 0))
  return { known, dear: known.length > 0 && rarest > mostRanked }
}

/** The rarest words first, as many as may be ranked, and always one. */
function afford(words: readonly string[], counts: Counts): readonly string[] {
  if (!counts) return words
  const count = (word: string) => counts.get(word) ?? 0
  let spent = 0
  return words
    .toSorted((a, b) => count(a) - count(b))
    .filter((word, index) => {
      spent += count(word)
      return index === 0 || spent <= mostRanked
    })
}

/** Quotes keep what a word holds from being syntax. */
function joinAll(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

function joinAny(words: readonly string[]): string {
  return words.map(quote).join(' OR ')
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '')}"`
}
