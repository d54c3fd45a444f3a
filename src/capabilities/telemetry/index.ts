import { createLedger } from './ledger.ts'
import type { TelemetryNeeds } from './needs.ts'
import { telemetryRoutes } from './routes.ts'
import { createEvidence } from './session-evidence.ts'

export { telemetryConfig } from './config.ts'
export { telemetryMigrations } from './migrations.ts'
export type TelemetryCapability = ReturnType<typeof createTelemetry>

export function createTelemetry(needs: TelemetryNeeds) {
  const ledger = createLedger(needs)
  return {
    routes: telemetryRoutes({ ...needs, ledger }),
    sweep: () => ledger.sweep(),
    /** When nothing is on its way to the database any more. */
    settled: () => ledger.settled(),
    /** For those who tell what happened in a session. */
    sessionEvidence: createEvidence(ledger),
    agentDeparture: ledger.agentDeparture,
  }
}
