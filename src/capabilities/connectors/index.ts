import type { Db } from '../../kernel/db/database.ts'
import { connectorDomain, connectorsHealth } from './health.ts'
import { connectorMigrations } from './migrations.ts'
import type { ConnectorsNeeds } from './needs.ts'
import { connectorRoutes } from './routes.ts'
import { disableOfAgent, findConnector, purgeOfAgent, resetSyncing } from './store.ts'
import { createSyncJob } from './sync/sync-job.ts'

export { connectorSynced } from './events.ts'

export const connectorsModule = { name: 'connectors', migrations: connectorMigrations } as const

export function createConnectors(needs: ConnectorsNeeds) {
  const now = () => needs.host.now().toISOString()
  needs.documents.connectors.add({
    exists: async (caller, id) => (await findConnector(needs.db, caller, id)) !== undefined,
  })
  return {
    routes: connectorRoutes(needs),
    jobs: [createSyncJob(needs)],
    health: connectorsHealth(needs),
    diagnostics: [connectorDomain(needs)],
    /** The job of an interrupted sync runs again and sets the status itself. */
    start: () => resetSyncing(needs.db, now()),
    agentRemoval: {
      archive: (db: Db, agentId: string) => disableOfAgent(db, agentId, now()),
      purge: purgeOfAgent,
    },
  }
}
