import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { chooseRanking } from './expression.ts'
import { readFeedbackStats } from './feedback-stats.ts'
import type { SearchRequest, TimeRange } from './search-request.ts'
import { type AccessUpdate, countAccess } from './store/access.ts'
import {
  deferHits,
  type IdsAt,
  listContaining,
  listFound,
  listIds,
  listSpeakers,
  rankByDecayedImportance,
  toDeferredHits,
} from './store/listing.ts'
import { hasFilter } from './store/matching.ts'
import { listVisible } from './store/memories.ts'
import { searchExpression, searchPieces } from './store/search.ts'
import { listCaptured, listMemoryFacts, listOtherFacts } from './store/temporal.ts'
import { searchHintWords, searchWords } from './word-search.ts'

/** Searches for other capabilities. Hits are live, current and readable. */
export function createMemorySearch(db: Db) {
  return {
    searchWords: (words: readonly string[], request: SearchRequest) =>
      searchWords(db, words, request),
    searchHintWords: (words: readonly string[], request: SearchRequest) =>
      searchHintWords(db, words, request),
    searchPieces: (pieces: readonly string[], request: SearchRequest) =>
      searchPieces(db, pieces, request),
    /** Undefined for invalid FTS5 syntax. */
    searchExpression: async (expression: string, request: SearchRequest) => {
      const ranking = chooseRanking(expression)
      return ranking && searchExpression(db, expression, { ...request, ranking })
    },
    hasFilter,
    /** Filters ids to live, readable memories. */
    listVisible: (ids: readonly string[], scope: ReadScope) => listVisible(db, scope, ids),
    listFound: (these: IdsAt, request: SearchRequest) => listFound(db, these, request),
    deferHits: (at: string, request: SearchRequest) => deferHits(db, at, request),
    toDeferredHits: toDeferredHits,
    listIds: (request: SearchRequest) => listIds(db, request),
    readFeedbackStats: (
      ids: readonly string[],
      of: { readonly agentId: string; readonly at: string },
    ) => readFeedbackStats(db, ids, of),
    rankByDecayedImportance: (request: SearchRequest, now: Date) =>
      rankByDecayedImportance(db, request, now),
    listContaining: (text: string, request: SearchRequest) => listContaining(db, text, request),
    listSpeakers: (request: SearchRequest) => listSpeakers(db, request),
    listMemoryFacts: (range: TimeRange, request: SearchRequest) =>
      listMemoryFacts(db, range, request),
    listOtherFacts: (range: TimeRange, of: { readonly agentId: string; readonly limit: number }) =>
      listOtherFacts(db, range, of),
    listCaptured: (range: TimeRange, request: SearchRequest) => listCaptured(db, range, request),
    countAccess: (ids: readonly string[], use: AccessUpdate) => countAccess(db, ids, use),
  }
}
