import {
  createExtensionPoint,
  type ExtensionPoint,
} from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import { cacheFor } from './cache.ts'
import { embeddingSettings, embeddingTrackerSettings } from './config.ts'
import { coverageDomain } from './domain.ts'
import { createEmbedInline, embedMemory, embedTexts, isEmbedded } from './embed-memory.ts'

import { createQueryEmbedder } from './embed-query.ts'
import { createEmbedderRegistry } from './embedder-registry.ts'
import { embeddingsHealth, readStatus } from './health.ts'
import { createLocalModels } from './local-models/local-models.ts'
import { embeddingsMigrations } from './migrations.ts'
import type { EmbeddableText, EmbeddingsOptions, MemoriesPort } from './needs.ts'
import { createProjections, deleteProjectionsOfAgent } from './projection.ts'
import { createEmbeddingRepairs } from './repairs.ts'
import { embeddingsRoutes } from './routes.ts'
import { createPendingWork } from './runtime.ts'

import { deleteVectors, deleteVectorsOfAgent, modelOf, readVectors } from './store/vectors.ts'
import { createTracker, embeddingWorker } from './tracker.ts'

export { memoize } from './cache.ts'
export { embeddingSettings, embeddingTrackerSettings } from './config.ts'
export type { InlineEmbedding } from './embed-memory.ts'
export { textsEmbedded } from './embedder.ts'
export { vectorSql } from './migrations.ts'
export { embeddingsPromoted } from './models.ts'
export { postgresVectorFeed, vectorFeed } from './store/feed.ts'

/** Lifetime of a cached status. */
const ttlMs = 30_000

export const embeddingsModule = {
  name: 'embeddings',
  settings: [embeddingSettings, embeddingTrackerSettings],
  migrations: embeddingsMigrations,
} as const
export type EmbeddingsCapability = ReturnType<typeof createEmbeddings>

export function createEmbeddings(options: EmbeddingsOptions) {
  const subjects = createExtensionPoint<MemoriesPort>('embeddings.subjects')
  const needs = { ...options, memories: () => readSubject(subjects) }
  const registry = createEmbedderRegistry(needs)
  const pendingWork = createPendingWork(needs.host)
  const runtime = { needs, registry, pendingWork }
  const tracker = createTracker(runtime)
  const cacheOptions = { ttlMs, key: () => JSON.stringify(needs.config()) }
  const status = cacheFor(needs.host, cacheOptions, () => readStatus(runtime))
  const progress = cacheFor(needs.host, cacheOptions, tracker.progress)
  const projections = createProjections(runtime)
  const localModels = createLocalModels(needs)
  const activeIdentity = () => registry.models().active?.identity ?? ''
  return {
    routes: embeddingsRoutes({ ...runtime, tracker, status, projections, localModels }),
    health: embeddingsHealth({ status, progress }),
    diagnostics: [coverageDomain(runtime)],
    /** Returns undefined if the caller must use `embed` after the save. */
    embedInline: createEmbedInline(runtime),
    /** Never throws; returns false if no vector is ready in time. */
    embed: (memory: EmbeddableText) => embedMemory(runtime, memory),
    isEmbedded: (memory: EmbeddableText) => isEmbedded(runtime, memory),
    embedQuery: createQueryEmbedder(runtime),
    /** The vector of a short text; undefined if the model does not answer at once. */
    embedNow: (text: string) =>
      registry.queryTarget()?.embedder.embedInline?.(text)?.embedding?.whole,
    /** Returns undefined if no model answers. */
    embedTexts: (texts: readonly string[], signal: AbortSignal) =>
      embedTexts(runtime, texts, signal),
    /** The unit vector of the active model. */
    vectorOf: async (memoryId: string) =>
      (await readVectors(needs.db, activeIdentity(), [memoryId])).get(memoryId),
    /** Unit vectors of the active model by memory id. */
    vectorsOf: (memoryIds: readonly string[]) =>
      readVectors(needs.background, activeIdentity(), memoryIds),
    /** Empty without vectors; `embeddings.promoted` reports a change. */
    activeIdentity,
    modelOf,
    /** Runs in the transaction that purges these memories, and again after it. */
    deleteVectors: (db: Db, memoryIds: readonly string[]) => deleteVectors(db, memoryIds),
    subjects,
    extensionPoints: [subjects],
    catchUp: tracker.run,
    repairs: createEmbeddingRepairs(runtime),
    workers: [embeddingWorker(tracker, progress)],
    schedules: [
      {
        name: 'embeddings.catch-up',
        everyMs: needs.pollMs(),
        run: tracker.run,
      },
    ],
    agentRemoval: {
      archive: () => Promise.resolve(),
      purge: async (db: Db, agentId: string) => {
        await deleteVectorsOfAgent(db, agentId)
        await deleteProjectionsOfAgent(db, agentId)
      },
    },
    /** Reads the models and the configuration; does not wait for a provider. */
    start: async () => {
      await registry.start()
      await localModels.start()
    },
    settled: () => pendingWork.settled(),
    stop: async () => {
      pendingWork.abort()
      await localModels.stop()
      // Closing the providers ends their calls, so the pending work settles.
      await registry.close()
      await projections.close()
      await pendingWork.settled()
    },
  }
}

function readSubject(subjects: ExtensionPoint<MemoriesPort>): MemoriesPort {
  const [subject] = subjects.list()
  if (!subject) throw new Error('No capability registered an embedding source.')
  return subject
}
