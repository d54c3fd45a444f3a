import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '../../kernel/db/database.ts'
import { DatabaseLost } from '../../kernel/db/database-error.ts'
import { openThreadReader } from '../../kernel/db/thread-reader.ts'
import { realHost } from '../../kernel/host/host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import {
  createFileConnection,
  type FeedConnection,
  type Page,
} from '../embedded/thread/feed-connection.ts'
import { createIndexEngine } from '../embedded/thread/index-engine.ts'
import { createEngineHarness, fileFeeds, model, serverFeeds } from '../engine.fixture.ts'
import { createServerConnection } from './store/feed-connection.ts'

/** An engine in this process, over a connection whose calls can fail. */
export async function openMemoryIndex(database: Database, snapshotAfter = 3) {
  const snapshotFile = join(await temporaryFolder(), 'search', 'memories.snap')
  const failures = new Set<keyof FeedConnection>()
  const pages: Page[] = []
  const warnings: string[] = []
  const connect = async () => {
    const connection = await connectTo(database)
    const guard = <Call extends (...values: never[]) => unknown>(
      name: keyof FeedConnection,
      call: Call,
    ) =>
      ((...values: Parameters<Call>) => {
        if (failures.has(name)) throw new DatabaseLost('lost on the way', 'TEST')
        return call(...values)
      }) as Call
    return {
      ...connection,
      readNewest: guard('readNewest', connection.readNewest),
      begin: guard('begin', connection.begin),
      readVectors: guard('readVectors', connection.readVectors),
      readMemories: guard('readMemories', (page) => {
        pages.push(page)
        return connection.readMemories(page)
      }),
    } satisfies FeedConnection
  }
  const connection = await connect()
  const create = () => {
    const engine = createIndexEngine({
      host: realHost,
      connection,
      snapshotFile,
      snapshotAfter,
      model: loadedModel,
      onHealth: () => undefined,
      onWarning: (message) => warnings.push(message),
    })
    onTestFinished(() => engine.close())
    return engine
  }
  const loadedModel = await model
  const harness = await createEngineHarness(database, create)
  return { harness, create, snapshotFile, failures, pages, warnings }
}

/** Leaves the database open. */
export async function connectTo({ db, file }: Database): Promise<FeedConnection> {
  const close = async () => undefined
  if (file === undefined) return createServerConnection({ db, close }, serverFeeds)
  return { ...createFileConnection(openThreadReader(file), fileFeeds, 'file'), close }
}
