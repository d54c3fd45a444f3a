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
import type { Database } from '../kernel/db/database.ts'
import type { Events } from '../kernel/events/events.ts'
import {
  createEmbeddedEngine,
  createLazyEngine,
  createNullEngine,
  createServerEngine,
  type EmbeddedEngineNeeds,
} from '../search/index.ts'

interface SearchNeeds extends Pick<EmbeddedEngineNeeds, 'host' | 'log' | 'readModel'> {
  readonly database: Database
  readonly events: Pick<Events, 'on'>
  readonly workspace: string
}

/** The index of a file is held in memory; a server keeps its own. */
export function createSearch({ events, ...needs }: SearchNeeds) {
  const engine = createEngine(needs)
  for (const type of [memoryChanged, memoryForgotten]) events.on(type, () => engine.changed())
  events.on(memorySaved, () => engine.changed())
  return engine
}

function createEngine({ database, workspace, ...needs }: Omit<SearchNeeds, 'events'>) {
  const { file, server } = database
  if (server) {
    const feeds = { memoryFeed: memoryFeedOfServer, vectorFeed: postgresVectorFeed }
    return createServerEngine({ ...needs, server, feeds })
  }
  if (file === undefined) return createNullEngine()
  const snapshotFile = join(workspace, 'search', 'memories.snap')
  return createLazyEngine({
    host: needs.host,
    isEmpty: () => isUntouched(database.db),
    create: () => createEmbeddedEngine({ ...needs, file, snapshotFile, memoryFeed, vectorFeed }),
  })
}
