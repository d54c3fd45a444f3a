import { describe, onTestFinished, test } from 'vitest'
import { realHost } from '../../../../kernel/host/host.ts'
import { createLog } from '../../../../kernel/log/log.ts'
import { engines, openTestServer, testServer } from '../../../../kernel/testing/engines.ts'
import { readStaticModel, vectorFeedOfServer } from '../../../embeddings/index.ts'
import { memoryFeedOfServer } from '../../../memory/index.ts'
import { engineContract } from '../engine.contract.ts'
import { createWorld } from '../engine.fixture.ts'
import { createPostgresEngine } from './postgres-engine.ts'

/** Reading it takes a moment, so all tests share it. */
const model = readStaticModel()

const feeds = { memoryFeed: memoryFeedOfServer, vectorFeed: vectorFeedOfServer }
const [, pglite] = engines
const server = { engine: 'server', open: () => openTestServer(testServer ?? '') }

describe.for([pglite, ...(testServer ? [server] : [])])('$engine', ({ open }) => {
  test.for(engineContract)('$name', async ({ holds }) => {
    const database = await open()
    const { db } = database
    const world = await createWorld(database, () => {
      const engine = createPostgresEngine({
        ...{ host: realHost, log: createLog('silent'), db, feeds },
        readModel: () => model,
      })
      onTestFinished(() => engine.close())
      return engine
    })

    await holds(world)
  })
})
