import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { rankingOf } from './expression.ts'
import { readFeedbackStats } from './feedback-stats.ts'
import type { SearchRequest, TimeRange } from './search-request.ts'
import { type AccessUpdate, countAccess } from './store/access.ts'
import {
  listByWorth,
  listContaining,
  listFound,
  listFoundLater,
  listIds,
  listSpeakers,
  type These,
  toFoundLate,
} from './store/listing.ts'
import { hasFilter } from './store/matching.ts'
import { listVisible } from './store/memories.ts'
import { searchExpression, searchPieces } from './store/search.ts'
import { listCaptured, listMemoryFacts, listOtherFacts } from './store/temporal.ts'
import { searchHintWords, searchWords } from './word-search.ts'

/** What others ask of the memories' words: each answer holds what the read scope allows, live and current. */
export function createMemorySearch(db: Db) {
  return {
    searchWords: (words: readonly string[], request: SearchRequest) =>
      searchWords(db, words, request),
    searchHintWords: (words: readonly string[], request: SearchRequest) =>
      searchHintWords(db, words, request),
    searchPieces: (pieces: readonly string[], request: SearchRequest) =>
      searchPieces(db, pieces, request),
    /** Undefined when the text is no expression of the index. */
    searchExpression: async (expression: string, request: SearchRequest) => {
      const ranking = rankingOf(expression)
      return ranking && searchExpression(db, expression, { ...request, ranking })
    },
    hasFilter,
    /** Those of these memories that are live and in the reader's sight. */
    listVisible: (ids: readonly string[], scope: ReadScope) => listVisible(db, scope, ids),
    listFound: (these: These, request: SearchRequest) => listFound(db, these, request),
    listFoundLater: (at: string, request: SearchRequest) => listFoundLater(db, at, request),
    toFoundLate,
    listIds: (request: SearchRequest) => listIds(db, request),
    readFeedbackStats: (
      ids: readonly string[],
      of: { readonly agentId: string; readonly at: string },
    ) => readFeedbackStats(db, ids, of),
    listByWorth: (request: SearchRequest, now: Date) => listByWorth(db, request, now),
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
