import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { repairNames } from './actions.ts'
import { autonomousSettings, repairSettings, workerSettings } from './config.ts'
import { maintain, sweep } from './maintenance.ts'
import { repairMigrations } from './migrations.ts'
import type { RepairNeeds } from './needs.ts'
import { repairRoutes } from './routes.ts'
import { createRepairRunner } from './run-repair.ts'
import { runRoutes } from './run-routes.ts'
import { findLastEnded } from './store/runs.ts'

export { autonomousSettings, repairSettings, workerSettings } from './config.ts'

export const repairModule = {
  name: 'repair',
  settings: [repairSettings, autonomousSettings, workerSettings],
  migrations: repairMigrations,
} as const

const sweepEveryMs = 21_600_000
/** Runs of a daemon on the same server that died are continued after this time and their lease. */
const resumeEveryMs = 60_000

export function createRepair(options: RepairNeeds) {
  const runner = createRepairRunner(options)
  const needs = { ...options, runner }
  const { maintenanceIntervalMs } = options.settings().autonomous
  const resumed: Promise<void>[] = []
  return {
    routes: [...repairRoutes(needs), ...runRoutes(needs)],
    health: repairHealth(needs, runner.running),
    schedules: [
      { name: 'repair.sweep', everyMs: sweepEveryMs, run: () => sweep(needs) },
      { name: 'repair.maintain', everyMs: maintenanceIntervalMs, run: () => maintain(needs) },
      { name: 'repair.resume', everyMs: resumeEveryMs, run: runner.resume },
    ],
    workers: [
      {
        name: 'maintenance',
        status: async () => {
          const { maintenanceMode: mode } = needs.settings().autonomous
          const details = { mode, everyMs: maintenanceIntervalMs, repairs: runner.running() }
          return { running: true, details }
        },
      },
      {
        name: 'retention',
        status: async () => ({ running: true, details: { everyMs: sweepEveryMs } }),
      },
    ],
    /** A run that a kill interrupted continues in the background. */
    start: async () => {
      const resume = runner.resume().catch((error: unknown) => {
        needs.log.error({ err: error }, 'repair not continued')
      })
      resumed.push(resume)
    },
    stop: async () => {
      await runner.stop()
      await Promise.all(resumed)
    },
  }
}

/** Reports repairs whose last run failed. Never affects readiness. */
function repairHealth(
  { db, settings }: Pick<RepairNeeds, 'db' | 'settings'>,
  running: () => readonly string[],
): HealthCheck {
  return {
    name: 'repair',
    check: async () => {
      const lastRuns = await Promise.all(repairNames.map((name) => findLastEnded(db, name)))
      const failed = lastRuns.flatMap((run) => (run?.state === 'failed' ? [run] : []))
      const { frozen, maintenanceMode } = settings().autonomous
      return toHealth(
        failed.map(({ action, message }) => `the repair ${action} failed: ${message}`),
        { running: [...running()], frozen, maintenanceMode },
      )
    },
  }
}
