import { createCleaningTasks } from './clean-stored.ts'
import { telemetrySettings } from './config.ts'
import { createInferenceHistory } from './inference-history.ts'
import { telemetryMigrations } from './migrations.ts'
import { createMilestones } from './milestones.ts'
import type { TelemetryNeeds } from './needs.ts'
import { telemetryRoutes } from './routes.ts'
import { createRuntime } from './runtime.ts'
import { createSearchEvidence } from './session-evidence.ts'

export const telemetryModule = {
  name: 'telemetry',
  settings: [telemetrySettings],
  migrations: telemetryMigrations,
} as const
export { telemetrySettings }

export function createTelemetry(needs: TelemetryNeeds) {
  const runtime = createRuntime(needs)
  const { erasure, recorder, flush } = runtime
  const milestones = createMilestones(needs, recorder)
  return {
    routes: telemetryRoutes(runtime),
    upgradeTasks: createCleaningTasks(needs.background),
    schedules: [{ name: 'telemetry.sweep', everyMs: 3_600_000, run: () => erasure.sweep() }],
    start: milestones.start,
    /** Resolves when the database and the event log contain all events. */
    stop: async () => {
      await milestones.stop()
      await flush()
      await recorder.close()
    },
    /** Evidence for the timeline of a session. */
    sessionEvidence: createSearchEvidence(runtime),
    /** Recorded model calls. */
    inferenceHistory: createInferenceHistory(runtime),
    agentRemoval: erasure.agentRemoval,
  }
}
