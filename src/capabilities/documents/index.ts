import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import { documentSettings } from './config.ts'
import { createConnectorFiles } from './connector-files.ts'
import { documentsHealth } from './health.ts'
import { createIngestJob } from './ingest/ingest.ts'
import { documentMigrations } from './migrations.ts'
import type { DocumentsNeeds } from './needs.ts'
import type { ConnectorsPort } from './ports.ts'
import { documentRoutes } from './routes.ts'
import { hideOfAgent, purgeOfAgent, sweepDeleted } from './store/documents.ts'
import { documentTools } from './tools.ts'

export type { ConnectorFiles } from './connector-files.ts'
export type { ConnectorsPort } from './ports.ts'
export { documentSettings }

export const documentsModule = {
  name: 'documents',
  settings: [documentSettings],
  migrations: documentMigrations,
} as const

const sweepIntervalMs = 21_600_000
/** As long as a forgotten memory can be recovered. */
const deletedRetentionMs = 30 * 86_400_000
const sweepBatchSize = 100

async function sweep({ background, host }: DocumentsNeeds): Promise<void> {
  const before = new Date(host.now().getTime() - deletedRetentionMs).toISOString()
  const page = { before, limit: sweepBatchSize }
  while ((await sweepDeleted(background, page)) === sweepBatchSize);
}

export function createDocuments(needs: DocumentsNeeds) {
  const connectors = createExtensionPoint<ConnectorsPort>('documents.connectors')
  return {
    routes: documentRoutes({ ...needs, connectors }),
    connectors,
    extensionPoints: [connectors],
    tools: documentTools,
    jobs: [createIngestJob(needs)],
    schedules: [
      {
        // Another daemon may have queued a document.
        name: 'documents.queue',
        everyMs: needs.config().workerIntervalMs,
        run: async () => needs.jobs.wake(),
      },
      { name: 'documents.sweep', everyMs: sweepIntervalMs, run: () => sweep(needs) },
    ],
    health: documentsHealth(needs),
    /** The documents of files, for the runs of connectors. */
    connectorFiles: createConnectorFiles(needs),
    agentRemoval: {
      archive: (db: Db, agentId: string) =>
        hideOfAgent(db, agentId, needs.host.now().toISOString()),
      purge: purgeOfAgent,
    },
  }
}
