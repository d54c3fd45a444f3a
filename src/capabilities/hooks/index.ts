import type { Db } from '../../kernel/db/database.ts'
import { createAdmission } from './admission.ts'
import type { HooksNeeds } from './needs.ts'
import { hooksRoutes } from './routes.ts'
import { deleteAgentRows, deleteBefore, deleteInvocationsBefore } from './store.ts'
import { departedMemoryJob, leaveMemory } from './synthesis/departure.ts'
import { synthesisRoutes } from './synthesis/routes.ts'
import { synthesisJob, wakeIdle } from './synthesis/worker.ts'

export { createClock } from './clock.ts'
export { agentConfig, hooksConfig, synthesisConfig } from './config.ts'
export { promptAnswered } from './events.ts'
export { hooksMigrations } from './migrations.ts'

const keptDays = 30
/** As long as how well sessions were served is told. */
const invocationDays = 90
const dayMs = 86_400_000

export function createHooks(needs: HooksNeeds) {
  const { db, host, jobs } = needs
  jobs.handle(synthesisJob(needs))
  jobs.handle(departedMemoryJob(needs))
  const depart = (keep: boolean) => async (db: Db, agentId: string) => {
    await deleteAgentRows(db, agentId)
    await leaveMemory(needs, db, { agentId, keep })
  }
  const daysAgo = (days: number) => new Date(host.now().getTime() - days * dayMs).toISOString()
  return {
    routes: [...hooksRoutes(needs, createAdmission(host)), ...synthesisRoutes(needs)],
    sweep: async () => {
      await deleteBefore(db, daysAgo(keptDays))
      await deleteInvocationsBefore(db, daysAgo(invocationDays))
    },
    /** Writes `MEMORY.md` of agents that are at rest. */
    wakeIdle: () => wakeIdle(needs),
    agentDeparture: { archive: depart(true), purge: depart(false) },
  }
}
