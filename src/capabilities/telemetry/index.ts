import type { TelemetryNeeds } from './needs.ts'
import { telemetryRoutes } from './routes.ts'
import { createRuntime } from './runtime.ts'
import { createEvidence } from './session-evidence.ts'

export { telemetryConfig } from './config.ts'
export { telemetryMigrations } from './migrations.ts'
export type TelemetryCapability = ReturnType<typeof createTelemetry>

export function createTelemetry(needs: TelemetryNeeds) {
  const runtime = createRuntime(needs)
  const { gone, recorder, settled } = runtime
  return {
    routes: telemetryRoutes(runtime),
    sweep: () => gone.sweep(),
    /** When nothing is on its way to the database or the open log any more. */
    close: async () => {
      await settled()
      await recorder.close()
    },
    /** For those who tell what happened in a session. */
    sessionEvidence: createEvidence(runtime),
    agentDeparture: gone.agentDeparture,
  }
}
