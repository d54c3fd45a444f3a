import { join } from 'node:path'
import { vectorFeed } from '../capabilities/embeddings/index.ts'
import { type MemoryEvents, memoryFeed } from '../capabilities/memory/index.ts'
import {
  createEmbeddedEngine,
  createNoEngine,
  type EmbeddedEngineNeeds,
} from '../capabilities/recall/index.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Events } from '../kernel/events/events.ts'

interface SearchNeeds extends Pick<EmbeddedEngineNeeds, 'host' | 'log' | 'readModel'> {
  readonly database: Database
  readonly events: Pick<Events<MemoryEvents>, 'on'>
  readonly workspace: string
}

/** The index of a file is held in memory; a server has its own. */
export function createSearch({ database, events, workspace, ...needs }: SearchNeeds) {
  const { file } = database
  if (file === undefined) return createNoEngine()
  const snapshotFile = join(workspace, 'search', 'memories.snap')
  const engine = createEmbeddedEngine({
    ...{ ...needs, file, snapshotFile, memoryFeed, vectorFeed },
  })
  for (const event of ['memory.saved', 'memory.changed', 'memory.forgotten'] as const)
    events.on(event, () => engine.changed())
  return engine
}
