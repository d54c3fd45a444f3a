import type { Db } from '../../kernel/db/database.ts'
import { createAdmission } from './admission.ts'
import type { HooksNeeds } from './needs.ts'
import { hooksRoutes } from './routes.ts'
import { deleteAgentRows, deleteBefore } from './store.ts'
import { synthesisRoutes } from './synthesis/routes.ts'

export { agentConfig, hooksConfig, synthesisConfig } from './config.ts'
export type { HooksEvents } from './events.ts'
export { hooksMigrations } from './migrations.ts'
export type { EntitiesPort } from './needs.ts'

const keptDays = 30
const dayMs = 86_400_000

export function createHooks(needs: HooksNeeds) {
  const { db, host } = needs
  const deleteOfAgent = (db: Db, agentId: string) => deleteAgentRows(db, agentId)
  return {
    routes: [...hooksRoutes(needs, createAdmission(host)), ...synthesisRoutes(needs)],
    sweep: () => deleteBefore(db, new Date(host.now().getTime() - keptDays * dayMs).toISOString()),
    agentDeparture: { archive: deleteOfAgent, purge: deleteOfAgent },
  }
}
