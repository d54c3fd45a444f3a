import { expect, onTestFinished, test, vi } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { openTestPostgres, startPostgresAhead } from '../../kernel/testing/engines.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { findSorted, vectorQuery } from '../contract/harness.fixture.ts'
import { createIndexEngine } from '../embedded/thread/index-engine.ts'
import { createEngineHarness, model, serverFeeds } from '../engine.fixture.ts'
import { connectTo } from './memory-index.fixture.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { createTableAccess } from './server-search.ts'
import { createSwitchingEngine } from './switching-engine.ts'

startPostgresAhead()

test('a database beyond the limit moves to the tables, which find the same', async ({ skip }) => {
  const database = await openTestPostgres()
  const { db } = database
  const access = createTableAccess({ db, feeds: serverFeeds })
  skip((await access.findProblem()) !== undefined)
  const needs = { host: realHost, onHealth: () => undefined, onWarning: () => undefined }
  const snapshotFile = `${await temporaryFolder()}/memories.snap`
  const [connection, loadedModel] = [await connectTo(database), await model]
  const createServer = vi.fn(() =>
    createPostgresEngine({ ...needs, db, feeds: serverFeeds, readModel: () => model }),
  )
  const harness = await createEngineHarness(database, () => {
    const engine = createSwitchingEngine({
      ...access,
      host: realHost,
      log: createLog('silent'),
      createMemory: () =>
        createIndexEngine({ ...needs, connection, snapshotFile, model: loadedModel }),
      createServer,
      maxMemoryRows: 2,
      timing: { reviewMs: 0 },
    })
    onTestFinished(() => engine.close())
    return engine
  })
  const engine = await harness.open()
  const near = vectorQuery('tiny', 1, 0)
  const insert = async (id: string) => {
    await harness.insert(id, `a cat of ${id}`)
    await harness.embed(id, 'tiny', [[1, 0]])
  }
  for (const id of ['one', 'two']) await insert(id)
  expect(await findSorted(engine, 'dog', near)).toEqual(['one', 'two'])
  expect(createServer).not.toHaveBeenCalled()

  await insert('three')
  await vi.waitFor(
    () => {
      engine.changed()
      expect(createServer).toHaveBeenCalledOnce()
      expect(createServer.mock.results[0]?.value.health().state).toBe('ready')
    },
    { timeout: 10_000 },
  )

  expect(await findSorted(engine, 'dog', near)).toEqual(['one', 'three', 'two'])
  await insert('four')
  expect(await findSorted(engine, 'dog', near)).toEqual(['four', 'one', 'three', 'two'])
})
