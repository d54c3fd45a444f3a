import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { chooseRanking, splitWords } from './expression.ts'
import type { MemoryHit, SearchRequest } from './search-request.ts'
import { countAccess } from './store/access.ts'
import { readFeedbackStats } from './store/feedback.ts'
import {
  deferHits,
  listContaining,
  listFound,
  listIds,
  listSpeakers,
  rankByDecayedImportance,
  toDeferredHits,
} from './store/listing.ts'
import { hasFilter } from './store/matching.ts'
import { listVisible } from './store/memories.ts'
import { countTerms, searchExpression, searchHints, searchPieces } from './store/search.ts'
import { listCaptured, listMemoryFacts, listOtherFacts } from './store/temporal.ts'

/** Searches for other capabilities. Hits are live, current and readable. */
export function createMemorySearch(db: Db) {
  return {
    searchWords: searchWords.bind(null, db),
    searchHintWords: searchHintWords.bind(null, db),
    searchPieces: searchPieces.bind(null, db),
    /** Undefined for invalid FTS5 syntax. */
    searchExpression: async (expression: string, request: SearchRequest) => {
      const ranking = chooseRanking(expression)
      return ranking && searchExpression(db, expression, { ...request, ranking })
    },
    hasFilter,
    /** Filters ids to live, readable memories. */
    listVisible: (ids: readonly string[], scope: ReadScope) => listVisible(db, scope, ids),
    listFound: listFound.bind(null, db),
    deferHits: deferHits.bind(null, db),
    toDeferredHits,
    listIds: listIds.bind(null, db),
    readFeedbackStats: readFeedbackStats.bind(null, db),
    rankByDecayedImportance: rankByDecayedImportance.bind(null, db),
    listContaining: listContaining.bind(null, db),
    listSpeakers: listSpeakers.bind(null, db),
    listMemoryFacts: listMemoryFacts.bind(null, db),
    listOtherFacts: listOtherFacts.bind(null, db),
    listCaptured: listCaptured.bind(null, db),
    countAccess: countAccess.bind(null, db),
  }
}

/** Ranking costs about 1 µs for each row with one of the words. */
const maxRankedRows = 5000

/** Queries up to this length must match all words. */
const maxWordsForAll = 3

/** Searches plain words. Drops common words when rarer ones match. */
async function searchWords(
  db: Db,
  words: readonly string[],
  request: SearchRequest,
): Promise<MemoryHit[]> {
  if (words.length === 0) return []
  const counts = await countWords(db, words)
  const { known, isExpensive } = estimateCost(words, counts)
  const ranking = isExpensive ? 'newest' : 'best'
  if (words.length <= maxWordsForAll && known.length === words.length) {
    const all = await searchExpression(db, joinAll(words), { ...request, ranking })
    if (all && all.length > 0) return all
  }
  const affordable = selectAffordable(known, counts)
  if (affordable.length === 0) return []
  return (await searchExpression(db, joinAny(affordable), { ...request, ranking })) ?? []
}

/** Searches hints. Words that no memory contains remain, because hints have their own vocabulary. */
async function searchHintWords(
  db: Db,
  words: readonly string[],
  request: SearchRequest,
): Promise<MemoryHit[]> {
  if (words.length === 0) return []
  if (words.length <= maxWordsForAll) {
    const all = await searchHints(db, joinAll(words), request)
    if (all && all.length > 0) return all
  }
  return (await searchHints(db, joinAny(words), request)) ?? []
}

type Counts = ReadonlyMap<string, number> | undefined

/** Document frequency by word: the minimum of its parts. Undefined on PostgreSQL. */
async function countWords(db: Db, words: readonly string[]): Promise<Counts> {
  const counts = await countTerms(db, [...new Set(words.flatMap(splitWords))])
  if (!counts) return undefined
  const rarest = (word: string) =>
    Math.min(...splitWords(word).map((part) => counts.get(part) ?? 0))
  return new Map(words.map((word) => [word, rarest(word)]))
}

function estimateCost(words: readonly string[], counts: Counts) {
  if (!counts) return { known: words, isExpensive: false }
  const known = words.filter((word) => (counts.get(word) ?? 0) > 0)
  const rarest = Math.min(...known.map((word) => counts.get(word) ?? 0))
  return { known, isExpensive: known.length > 0 && rarest > maxRankedRows }
}

/** Selects the rarest words within the ranking budget, at least one. */
function selectAffordable(words: readonly string[], counts: Counts): readonly string[] {
  if (!counts) return words
  const count = (word: string) => counts.get(word) ?? 0
  let usedLength = 0
  return words
    .toSorted((a, b) => count(a) - count(b))
    .filter((word, index) => {
      usedLength += count(word)
      return index === 0 || usedLength <= maxRankedRows
    })
}

/** Quotes each word, so it contains no syntax. */
function joinAll(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

function joinAny(words: readonly string[]): string {
  return words.map(quote).join(' OR ')
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '')}"`
}
