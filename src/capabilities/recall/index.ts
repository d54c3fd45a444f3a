import { createAccessCounter } from './access-counter.ts'
import { recallHealth } from './health.ts'
import { advanceEpoch, sweepLedger } from './ledger.ts'
import type { RecallNeeds } from './needs.ts'
import { recallRoutes } from './routes.ts'
import { recallEvidence } from './session-evidence.ts'

export { recallConfig } from './config.ts'
export { createEmbeddedEngine } from './engine/embedded/embedded-engine.ts'
export { createNoEngine } from './engine/no-engine.ts'
export type { RecallEvents } from './events.ts'
export { recallMigrations } from './migrations.ts'

export function createRecall(needs: RecallNeeds) {
  const counter = createAccessCounter(needs.memory.search, needs.log)
  return {
    routes: recallRoutes({ ...needs, counter }),
    /** A session that has lost its context is told everything anew. */
    advanceEpoch: (advance: Parameters<typeof advanceEpoch>[1]) => advanceEpoch(needs, advance),
    /** For those who tell what happened in a session. */
    sessionEvidence: recallEvidence,
    sweep: () => sweepLedger(needs),
    settled: () => counter.settled(),
    health: recallHealth(needs),
  }
}
