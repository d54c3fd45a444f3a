import { hash } from 'node:crypto'
import type { Db } from '../../kernel/db/database.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { ImportedRows } from '../sources/index.ts'
import { importsSettings } from './config.ts'
import { activeStates } from './import-job.ts'
import { importsMigrations } from './migrations.ts'
import type { ImportsOptions } from './needs.ts'
import { assertNoActiveJob, removeImportedSource } from './removal/remove-source.ts'
import { importsRoutes } from './routes.ts'
import { countConversationsOf } from './store/conversations.ts'
import { measureUploads } from './store/files.ts'
import { countJobs, deleteAgent, renameAgent } from './store/jobs.ts'
import { createTransfers } from './transfers.ts'
import { readFreeBytes } from './upload/admission.ts'
import { expireUploads } from './worker/expire-uploads.ts'
import { createRecordReader } from './worker/record-reader.ts'
import { createImportWorker } from './worker/worker.ts'

export const importsModule = {
  name: 'imports',
  settings: [importsSettings],
  migrations: importsMigrations,
} as const

const pollMs = 250
const expiryIntervalMs = 3_600_000

export function createImports(options: ImportsOptions) {
  const { host } = options
  const records = createRecordReader(host)
  const { self } = options
  const shared = {
    ...options,
    records,
    transfers: createTransfers(),
    agentId: self.agentId || 'default',
    daemonId: hash('sha256', self.workspace).slice(0, 16),
    freeBytes: () => readFreeBytes(self),
  }
  const worker = createImportWorker(shared)
  const needs = { ...shared, wake: worker.wake }
  return {
    routes: importsRoutes(needs),
    health: importsHealth(options),
    schedules: [
      { name: 'imports.worker', everyMs: pollMs, run: worker.run },
      { name: 'imports.expiry', everyMs: expiryIntervalMs, run: () => expireUploads(needs) },
    ],
    start: async () => {
      await worker.recover()
    },
    stop: () => records.close(),
    /** For `sources.importedRows`. */
    importedRows: toImportedRows(needs),
    agentRemoval: {
      /** `~` is invalid in agent names, so no later agent can own the rows. */
      archive: (db: Db, agentId: string) => renameAgent(db, agentId, `${agentId}~${host.newId()}`),
      purge: deleteAgent,
    },
  }
}

function toImportedRows(needs: Parameters<typeof removeImportedSource>[0]): ImportedRows {
  return {
    assertRemovable: async (source) => {
      await assertNoActiveJob(needs, source)
    },
    count: ({ agentId, sourceId }) => countConversationsOf(needs.db, agentId, sourceId),
    remove: async (source) => {
      await removeImportedSource(needs, source)
    },
  }
}

/** Uploads and imports that run or need attention. */
function importsHealth({ db }: Pick<ImportsOptions, 'db'>): HealthCheck {
  return {
    name: 'imports',
    check: async () => {
      const active = await countJobs(db, activeStates)
      const failed = await countJobs(db, ['failed'])
      const reason = failed > 0 && `${failed} imports have failed; retry or cancel them`
      return toHealth([reason], { active, failed, ...(await measureUploads(db)) })
    },
  }
}
