import { join } from 'node:path'
import { vectorFeed } from '../capabilities/embeddings/index.ts'
import { type MemoryEvents, memoryFeed } from '../capabilities/memory/index.ts'
import { createEmbeddedEngine, createNoEngine } from '../capabilities/recall/index.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Events } from '../kernel/events/events.ts'
import type { Host } from '../kernel/host/host.ts'
import type { Log } from '../kernel/log/log.ts'

interface SearchNeeds {
  readonly database: Database
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events<MemoryEvents>, 'on'>
  readonly workspace: string
}

/** The index of a file is held in memory; a server has its own. */
export function createSearch({ database, host, log, events, workspace }: SearchNeeds) {
  const { file } = database
  if (file === undefined) return createNoEngine()
  const snapshotFile = join(workspace, 'search', 'memories.snap')
  const engine = createEmbeddedEngine({
    ...{ host, log, file, snapshotFile, memoryFeed, vectorFeed },
  })
  for (const event of ['memory.saved', 'memory.changed', 'memory.forgotten'] as const)
    events.on(event, () => engine.changed())
  return engine
}
