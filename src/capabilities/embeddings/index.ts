import {
  createExtensionPoint,
  type ExtensionPoint,
} from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import { embeddingSettings, embeddingTrackerSettings } from './config.ts'
import { createEmbedAtOnce } from './embed-at-once.ts'
import { embedMemory, isEmbedded } from './embed-memory.ts'
import { embedQuery } from './embed-query.ts'
import { embeddingsHealth } from './health.ts'
import { held } from './held.ts'
import { createMakers } from './makers.ts'
import { embeddingsMigrations } from './migrations.ts'
import type { EmbeddingsOptions, MemoriesPort, Words } from './needs.ts'
import { createProjections, deleteProjectionsOfAgent } from './projection.ts'
import { embeddingsRoutes } from './routes.ts'
import { readStatus } from './status.ts'
import {
  deleteVectors,
  deleteVectorsOfAgent,
  hasVectorOf,
  modelOf,
  readVectors,
} from './store/vectors.ts'
import { createTracker } from './tracker.ts'
import { createUnderWay } from './under-way.ts'

export { embeddingSettings, embeddingTrackerSettings } from './config.ts'
export type { AtOnce } from './embed-at-once.ts'
export { embeddingsPromoted } from './events.ts'
export { onceRead } from './once-read.ts'
export { vectorFeed, vectorFeedOfServer } from './store/feed.ts'

/** Whether a provider answers, and how far the vectors are, is asked no more often. */
const holdsMs = 30_000

export const embeddingsModule = {
  name: 'embeddings',
  settings: [embeddingSettings, embeddingTrackerSettings],
  migrations: embeddingsMigrations,
} as const
export type EmbeddingsCapability = ReturnType<typeof createEmbeddings>

export function createEmbeddings(given: EmbeddingsOptions) {
  const subjects = createExtensionPoint<MemoriesPort>('embeddings.subjects')
  const needs = { ...given, memories: () => readSubject(subjects) }
  const makers = createMakers(needs)
  const underWay = createUnderWay(needs.host)
  const runtime = { needs, makers, underWay }
  const tracker = createTracker(runtime)
  const whileConfigured = { holdsMs, key: () => JSON.stringify(needs.config()) }
  const status = held(needs.host, whileConfigured, () => readStatus(runtime))
  const progress = held(needs.host, whileConfigured, tracker.progress)
  const projections = createProjections(runtime)
  const activeIdentity = () => makers.models().active?.identity ?? ''
  return {
    routes: embeddingsRoutes({ ...runtime, tracker, status, projections }),
    health: embeddingsHealth({ status, progress }),
    /** To be kept together with the memory; undefined where `embed` has to be asked afterwards. */
    embedAtOnce: createEmbedAtOnce(runtime),
    /** Never throws; false when there is no vector, or not in time. */
    embed: (memory: Words) => embedMemory(runtime, memory),
    isEmbedded: (memory: Words) => isEmbedded(runtime, memory),
    embedQuery: (text: string) => embedQuery(runtime, text),
    /** Of unit length; what answers searches now. */
    vectorOf: async (memoryId: string) =>
      (await readVectors(needs.db, activeIdentity(), [memoryId])).get(memoryId),
    /** Empty before there are vectors; a change is told by `embeddings.promoted`. */
    activeIdentity,
    hasVector: (column: string) => hasVectorOf(activeIdentity())(column),
    modelOf,
    /** Part of the transaction in which these memories are purged, and after that. */
    drop: (db: Db, memoryIds: readonly string[]) => deleteVectors(db, memoryIds),
    subjects,
    extensionPoints: [subjects],
    catchUp: tracker.run,
    schedules: [
      {
        name: 'embeddings.catch-up',
        everyMs: needs.pollMs(),
        run: (signal: AbortSignal) => tracker.run(signal),
      },
    ],
    agentRemoval: {
      archive: () => Promise.resolve(),
      purge: async (db: Db, agentId: string) => {
        await deleteVectorsOfAgent(db, agentId)
        await deleteProjectionsOfAgent(db, agentId)
      },
    },
    /** Reads what there is and what is configured; waits for no provider. */
    start: () => makers.start(),
    settled: () => underWay.settled(),
    stop: async () => {
      underWay.abort()
      // Whoever waits for a provider waits no longer, so what is under way comes to its end.
      await makers.close()
      await projections.close()
      await underWay.settled()
    },
  }
}

function readSubject(subjects: ExtensionPoint<MemoriesPort>): MemoriesPort {
  const [subject] = subjects.list()
  if (!subject) throw new Error('No capability registered what is embedded.')
  return subject
}
