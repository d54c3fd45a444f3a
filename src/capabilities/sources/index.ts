import { createSourceRemoval } from './agent-removal.ts'
import { createChunkEngine, createCollection } from './collection.ts'
import { sourcesSettings } from './config.ts'
import { removeOldVectors } from './embed-chunks.ts'
import { artifactEvidence } from './evidence-source.ts'
import { removeUploads } from './file-import/receive-files.ts'
import { fileRoutes } from './file-routes.ts'
import { sourcesHealth } from './health.ts'
import { completeImport, type ImportedFile, registerImport } from './manage.ts'
import { sourcesMigrations } from './migrations.ts'
import type { SourcesOptions } from './needs.ts'
import { createParts } from './parts.ts'
import { sourcesRoutes } from './routes.ts'
import { createBackgroundRuns } from './runs/background.ts'
import { sweepPurged } from './store/chunks.ts'
import { sourcesTools } from './tools.ts'

export { sourcesSettings } from './config.ts'
export { sourceRunChanged } from './events.ts'
export type { ImportedRows } from './ports.ts'
export { isUntouched as hasNoChunks } from './store/chunks.ts'
export {
  chunkFeed,
  chunkVectorFeed,
  postgresChunkFeed,
  postgresChunkVectorFeed,
} from './store/feed.ts'

export const sourcesModule = {
  name: 'sources',
  settings: [sourcesSettings],
  migrations: sourcesMigrations,
} as const

export type SourcesCapability = ReturnType<typeof createSources>

const purgedRetentionMs = 30 * 86_400_000

export function createSources(options: SourcesOptions) {
  const { db, host } = options
  const engine = createChunkEngine(options.engine)
  const parts = createParts({ ...options, engine })
  const background = createBackgroundRuns(parts)
  const sweep = async () => {
    await sweepPurged(db, new Date(host.now().getTime() - purgedRetentionMs).toISOString())
    await removeOldVectors(options)
  }
  const picker = { ...options, platform: process.platform }
  return {
    routes: [...sourcesRoutes(parts), ...fileRoutes({ ...parts, picker })],
    tools: sourcesTools,
    health: sourcesHealth(parts),
    /** For `recall.collections`. */
    collection: createCollection({ ...parts, engine }),
    schedules: [
      { name: 'sources.watch', everyMs: 2_000, run: background.watch },
      { name: 'sources.refresh', everyMs: 60_000, run: background.refresh },
      { name: 'sources.embed', everyMs: 15_000, run: parts.embedder.embedPending },
      { name: 'sources.sweep', everyMs: 21_600_000, run: sweep },
    ],
    /** For `ontology.evidenceSources`. */
    evidenceSource: artifactEvidence,
    agentRemoval: createSourceRemoval(parts),
    extensionPoints: [parts.importedRows],
    /** For recalls, and for other work that stores much text. */
    pace: parts.pace,
    /** For the rows of imported sources. */
    importedRows: parts.importedRows,
    /** Lists an imported file as a source. A repeated call changes nothing. */
    registerImport: (file: ImportedFile) => registerImport(parts, file),
    completeImport: (sourceId: string) => completeImport(parts, sourceId),
    start: async () => {
      await removeUploads(options.folder)
      await background.start()
    },
    stop: async () => {
      background.stop()
      await parts.scheduler.close()
      await engine.close()
    },
  }
}
