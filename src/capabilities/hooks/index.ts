import type { Db } from '../../kernel/db/database.ts'
import { createAdmission } from './admission.ts'
import { agentSettings, hooksSettings, synthesisSettings } from './config.ts'
import { createExtensions, readExtensions } from './extensions.ts'
import { hooksMigrations } from './migrations.ts'
import type { HooksOptions } from './needs.ts'
import { hooksRoutes } from './routes.ts'
import { deleteAgentRows, deleteBefore, deleteInvocationsBefore } from './store.ts'
import { cleanMemoryFiles } from './synthesis/clean-files.ts'
import { departedMemoryJob, leaveMemory } from './synthesis/departure.ts'
import { synthesisRoutes } from './synthesis/routes.ts'
import { synthesisJob, wakeIdle } from './synthesis/worker.ts'

export { createClock } from './clock.ts'
export { agentSettings, hooksSettings, synthesisSettings } from './config.ts'
export { promptAnswered } from './events.ts'

const keptDays = 30
/** As long as how well sessions were served is told. */
const invocationDays = 90
const dayMs = 86_400_000

export const hooksModule = {
  name: 'hooks',
  settings: [hooksSettings, synthesisSettings, agentSettings],
  migrations: hooksMigrations,
} as const

export function createHooks(given: HooksOptions) {
  const { db, host } = given
  const extensions = createExtensions()
  const needs = { ...given, ...readExtensions(extensions, given.log) }
  const depart = (keep: boolean) => async (db: Db, agentId: string) => {
    await deleteAgentRows(db, agentId)
    await leaveMemory(needs, db, { agentId, keep })
  }
  const sweep = async () => {
    await deleteBefore(db, daysAgo(keptDays))
    await deleteInvocationsBefore(db, daysAgo(invocationDays))
  }
  const daysAgo = (days: number) => new Date(host.now().getTime() - days * dayMs).toISOString()
  return {
    routes: [...hooksRoutes(needs, createAdmission(host)), ...synthesisRoutes(needs)],
    ...extensions,
    extensionPoints: Object.values(extensions),
    jobs: [synthesisJob(needs), departedMemoryJob(needs)],
    upgradeTasks: [cleanMemoryFiles(needs)],
    sweep,
    schedules: [
      { name: 'hooks.wake-idle', everyMs: 60_000, run: () => wakeIdle(needs) },
      { name: 'hooks.sweep', everyMs: 21_600_000, run: sweep },
    ],
    agentRemoval: { archive: depart(true), purge: depart(false) },
  }
}
