import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { ReadScope } from '../../kernel/db/read-scope.ts'
import { createAccessCounter } from './access-counter.ts'
import { findLikely } from './find-likely.ts'
import { recallHealth } from './health.ts'
import { advanceEpoch, noteShown, type Shown, sweepLedger } from './ledger.ts'
import type { RecallNeeds } from './needs.ts'
import { recall } from './recall.ts'
import { recallRoutes } from './routes.ts'
import type { RecallRequest } from './schemas.ts'
import { recallEvidence } from './session-evidence.ts'
import { deleteOfAgent, findEpoch } from './store.ts'
import { recallTools } from './tools.ts'
import { readWords } from './words.ts'

export { recallConfig } from './config.ts'
export { recallAnswered, recallPerformed } from './events.ts'
export { recallMigrations } from './migrations.ts'
export type { Recalled } from './recall.ts'
export { recallMeta, recallRow } from './replies.ts'
export { type RecallRequest, recallBody } from './schemas.ts'
export type RecallCapability = ReturnType<typeof createRecall>

export function createRecall(needs: RecallNeeds) {
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
    agentDeparture: { archive: deleteOfAgent, purge: deleteOfAgent },
    sweep: () => sweepLedger(needs),
    settled: () => counter.settled(),
    health: recallHealth(needs),
  }
}
