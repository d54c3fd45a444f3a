import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import { createAccessCounter } from './access-counter.ts'
import { searchSettings } from './config.ts'
import { findLikely } from './find-likely.ts'
import { recallHealth } from './health.ts'
import { advanceEpoch, noteShown, type Shown, sweepLedger } from './ledger.ts'
import { recallMigrations } from './migrations.ts'
import type { GraphSource, RecallOptions } from './needs.ts'
import { recall } from './recall.ts'
import { recallRoutes } from './routes.ts'
import type { RecallRequest } from './schemas.ts'
import { recallEvidence } from './session-evidence.ts'
import { deleteOfAgent, findEpoch } from './store.ts'
import { recallTools } from './tools.ts'
import { readWords } from './words.ts'

export { recallAnswered, recallPerformed } from './events.ts'
export type { Recalled } from './recall.ts'
export { recallMeta, recallRow } from './replies.ts'
export { type RecallRequest, recallBody } from './schemas.ts'
export const recallModule = {
  name: 'recall',
  settings: [searchSettings],
  migrations: recallMigrations,
} as const
export { searchSettings }
export type RecallCapability = ReturnType<typeof createRecall>

export function createRecall(given: RecallOptions) {
  const graph = createExtensionPoint<GraphSource>('recall.graph')
  const needs = { ...given, graph }
  const counter = createAccessCounter(needs)
  return {
    routes: recallRoutes({ ...needs, counter }),
    tools: recallTools,
    /** For those who tell what happened in a session. */
    sessionEvidence: recallEvidence,
    recall: (caller: Caller, request: RecallRequest) =>
      recall({ ...needs, counter }, caller, request),
    readWords,
    /** What a text may be about, for whoever tells something without being asked. */
    findLikely: (scope: ReadScope, likely: { readonly text: string; readonly limit: number }) =>
      findLikely(needs, scope, likely),
    /** A session that has lost its context is told everything anew. Part of the caller's transaction. */
    advanceEpoch: (db: Db, advance: Parameters<typeof advanceEpoch>[1]) =>
      advanceEpoch({ ...needs, db }, advance),
    findEpoch,
    /** What was told without being asked for. Part of the caller's transaction. */
    noteShown: (db: Db, shown: Shown) => noteShown({ ...needs, db }, shown),
    /** What an agent was told says nothing once it is gone; part of that transaction. */
    agentRemoval: { archive: deleteOfAgent, purge: deleteOfAgent },
    graph,
    extensionPoints: [graph],
    schedules: [
      { name: 'recall.sweep', everyMs: 21_600_000, run: () => sweepLedger(needs) },
      // Purged memories and vectors of a replaced model emit no event.
      { name: 'search.catch-up', everyMs: 60_000, run: async () => needs.engine.changed() },
    ],
    stop: async () => {
      await counter.settled()
      await needs.engine.close()
    },
    health: recallHealth(needs),
  }
}
