import { createCleaningTasks } from './clean-stored.ts'
import { telemetrySettings } from './config.ts'
import { telemetryMigrations } from './migrations.ts'
import type { TelemetryNeeds } from './needs.ts'
import { telemetryRoutes } from './routes.ts'
import { createRuntime } from './runtime.ts'
import { createEvidence } from './session-evidence.ts'

export const telemetryModule = {
  name: 'telemetry',
  settings: [telemetrySettings],
  migrations: telemetryMigrations,
} as const
export { telemetrySettings }

export function createTelemetry(needs: TelemetryNeeds) {
  const runtime = createRuntime(needs)
  const { gone, recorder, settled } = runtime
  return {
    routes: telemetryRoutes(runtime),
    upgradeTasks: createCleaningTasks(needs.background),
    schedules: [{ name: 'telemetry.sweep', everyMs: 3_600_000, run: () => gone.sweep() }],
    /** When nothing is on its way to the database or the open log any more. */
    stop: async () => {
      await settled()
      await recorder.close()
    },
    /** For those who tell what happened in a session. */
    sessionEvidence: createEvidence(runtime),
    agentRemoval: gone.agentRemoval,
  }
}
