import { join } from 'node:path'
import { memoize, postgresVectorFeed, vectorFeed } from '../capabilities/embeddings/index.ts'
import {
  isUntouched,
  memoryChanged,
  memoryFeed,
  memoryFeedOfServer,
  memoryForgotten,
  memorySaved,
} from '../capabilities/memory/index.ts'
import {
  chunkFeed,
  chunkVectorFeed,
  hasNoChunks,
  postgresChunkFeed,
  postgresChunkVectorFeed,
} from '../capabilities/sources/index.ts'
import { ConfigError } from '../kernel/config/workspace.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Events } from '../kernel/events/events.ts'
import {
  createEmbeddedEngine,
  createLazyEngine,
  createNullEngine,
  createServerEngine,
  createServerSearch,
  type EmbeddedEngineNeeds,
  type SearchEngine,
} from '../search/index.ts'
import { readStaticModel } from '../static-model/index.ts'

/** Shared by the embedder and the search engines. */
export const readModel = memoize(() => readStaticModel())

interface SearchNeeds extends Pick<EmbeddedEngineNeeds, 'host' | 'log' | 'readModel'> {
  readonly database: Database
  readonly events: Pick<Events, 'on'>
  readonly workspace: string
  /** `search.index` */
  readonly index: 'auto' | 'memory' | 'server'
}

/** The index of a file is in memory; that of a server where `search.index` says. */
export function createSearch({ events, ...needs }: SearchNeeds) {
  const engine = createEngine(needs)
  for (const type of [memoryChanged, memoryForgotten]) events.on(type, () => engine.changed())
  events.on(memorySaved, () => engine.changed())
  return engine
}

function createEngine({ database, workspace, index, ...needs }: Omit<SearchNeeds, 'events'>) {
  const { db, file, server } = database
  const snapshotFile = join(workspace, 'search', 'memories.snap')
  const createLazily = (create: () => SearchEngine) =>
    createLazyEngine({ host: needs.host, isEmpty: () => isUntouched(db), create })
  if (server) {
    const feeds = { memoryFeed: memoryFeedOfServer, vectorFeed: postgresVectorFeed }
    const create = () => createServerSearch({ ...needs, db, server, feeds, index, snapshotFile })
    // In `server` the tables are prepared before the first memory.
    return index === 'server' ? create() : createLazily(create)
  }
  if (index === 'server')
    throw new ConfigError(
      'search.index: server needs a PostgreSQL database. Set database.url, or use auto or memory.',
    )
  if (file === undefined) return createNullEngine()
  return createLazily(() =>
    createEmbeddedEngine({ ...needs, file, snapshotFile, memoryFeed, vectorFeed }),
  )
}

const chunkConnections = 2

/** The index of the chunks of sources. It is in memory on both engines, apart from that of memories. */
export function createChunkSearch({
  database,
  workspace,
  host,
  log,
  readModel,
}: Pick<SearchNeeds, 'database' | 'workspace' | 'host' | 'log' | 'readModel'>): SearchEngine {
  const { db, file, server } = database
  const snapshotFile = join(workspace, 'search', 'source-chunks.snap')
  const needs = { host, log, readModel }
  const feeds = { memoryFeed: postgresChunkFeed, vectorFeed: postgresChunkVectorFeed }
  const createLazily = (create: () => SearchEngine) =>
    createLazyEngine({ host, isEmpty: () => hasNoChunks(db), create })
  if (server) {
    const connections = Math.min(chunkConnections, server.connections)
    const options = { server: { ...server, connections }, feeds, snapshot: { snapshotFile } }
    return createLazily(() => createServerEngine({ ...needs, ...options }))
  }
  if (file === undefined) return createNullEngine()
  const options = { file, snapshotFile, memoryFeed: chunkFeed, vectorFeed: chunkVectorFeed }
  return createLazily(() => createEmbeddedEngine({ ...needs, ...options }))
}
