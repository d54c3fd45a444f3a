import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import { toDomainCheck } from '../../kernel/capability/domain.ts'
import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import { createAccessCounter } from './access-counter.ts'
import { rerankerSettings, searchSettings, summaryCardSettings } from './config.ts'
import { type LexicalSearch, searchLexical } from './engine-search.ts'
import { recallHealth } from './health.ts'
import { advanceEpoch, recordShown, type ShownItems, sweepLedger } from './ledger.ts'
import { recallMigrations } from './migrations.ts'
import { createSummaryCards } from './model/summary-card.ts'
import type {
  CollectionRow,
  DescribedEntity,
  GraphAnswer,
  GraphSource,
  RecallOptions,
  SearchCollection,
} from './needs.ts'
import { recall } from './recall.ts'
import { recallRoutes } from './routes.ts'
import type { RecallRequest } from './schemas.ts'
import { recallEvidence } from './session-evidence.ts'
import { deleteOfAgent, findEpoch } from './store.ts'
import { recallTools } from './tools.ts'
import { parseQueryWords } from './words.ts'

export { readTerms } from '../../search/index.ts'
export { recallAnswered, recallPerformed } from './events.ts'
export { type RecallResult as Recalled, recallMeta, recallRow } from './replies.ts'
export { type RecallRequest, recallBody } from './schemas.ts'
export const recallModule = {
  name: 'recall',
  settings: [searchSettings, rerankerSettings, summaryCardSettings],
  migrations: recallMigrations,
} as const
export type { CollectionRow, DescribedEntity, GraphAnswer, GraphSource, SearchCollection }
export { rerankerSettings, searchSettings, summaryCardSettings }
export type RecallCapability = ReturnType<typeof createRecall>

export function createRecall(options: RecallOptions) {
  const graph = createExtensionPoint<GraphSource>('recall.graph')
  const collections = createExtensionPoint<SearchCollection>('recall.collections')
  const needs = { ...options, graph, collections }
  const counter = createAccessCounter(needs)
  const summaryCards = createSummaryCards(needs)
  const verbNeeds = { ...needs, counter, summaryCards }
  const health = recallHealth(needs)
  return {
    routes: recallRoutes(verbNeeds),
    tools: recallTools,
    /** Evidence for the timeline of a session. */
    sessionEvidence: recallEvidence,
    recall: (caller: Caller, request: RecallRequest) => recall(verbNeeds, caller, request),
    parseQueryWords,
    /** Finds memories related to a text, without side effects. */
    searchLexical: (scope: ReadScope, query: LexicalSearch) => searchLexical(needs, scope, query),
    /** Starts an empty context for a session, within the caller's transaction. */
    advanceEpoch: (db: Db, advance: Parameters<typeof advanceEpoch>[1]) =>
      advanceEpoch({ ...needs, db }, advance),
    findEpoch,
    /** Records items that a hook showed, within the caller's transaction. */
    recordShown: (db: Db, shown: ShownItems) => recordShown({ ...needs, db }, shown),
    /** Deletes the ledger of a removed agent, within that transaction. */
    agentRemoval: { archive: deleteOfAgent, purge: deleteOfAgent },
    graph,
    collections,
    extensionPoints: [graph, collections],
    schedules: [
      { name: 'recall.sweep', everyMs: 21_600_000, run: () => sweepLedger(needs) },
      // Purged memories and vectors of a replaced model emit no event.
      { name: 'search.catch-up', everyMs: 60_000, run: async () => needs.engine.changed() },
    ],
    stop: async () => {
      await counter.flush()
      await needs.engine.close()
    },
    health,
    diagnostics: [toDomainCheck(health, 'reverie logs --level warn')],
  }
}
