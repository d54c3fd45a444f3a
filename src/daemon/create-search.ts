import { join } from 'node:path'
import { postgresVectorFeed, vectorFeed } from '../capabilities/embeddings/index.ts'
import {
  isUntouched,
  memoryChanged,
  memoryFeed,
  memoryFeedOfServer,
  memoryForgotten,
  memorySaved,
} from '../capabilities/memory/index.ts'
import { ConfigError } from '../kernel/config/workspace.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Events } from '../kernel/events/events.ts'
import {
  createEmbeddedEngine,
  createLazyEngine,
  createNullEngine,
  createServerSearch,
  type EmbeddedEngineNeeds,
  type SearchEngine,
} from '../search/index.ts'

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
