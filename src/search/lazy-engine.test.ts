import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isUntouched } from '../capabilities/memory/index.ts'
import { realHost as host } from '../kernel/host/host.ts'
import { createLog } from '../kernel/log/log.ts'
import { openTestSqlite } from '../kernel/testing/engines.ts'
import { temporaryFolder } from '../kernel/testing/temporary-folder.ts'
import { queryFor } from './contract/harness.fixture.ts'
import { createEmbeddedEngine } from './embedded/embedded-engine.ts'
import { createEngineHarness, fileFeeds, model } from './engine.fixture.ts'
import { createLazyEngine } from './lazy-engine.ts'

const question = queryFor('cat')

test('an empty database needs no engine and answers with nothing', async () => {
  const { engine, created } = await openPlace()

  engine.changed()

  expect(await engine.search(question)).toEqual({ candidates: [], timings: [] })
  expect(await engine.similar({ ...question, id: 'one', identity: 'tiny' })).toBeUndefined()
  expect(engine.health()).toEqual({ state: 'ready', rows: 0, vectors: 0, revision: 0 })
  expect(created()).toBe(0)
})

test('a search right after the first memory finds it', async () => {
  const { engine, harness, created } = await openPlace()
  expect((await engine.search(question)).candidates).toEqual([])

  await harness.insert('one', 'a cat')
  expect(engine.health().state).toBe('ready')
  const answers = await Promise.all([1, 2, 3].map(() => engine.search(question)))

  for (const { candidates, degraded } of answers)
    expect([candidates.map(({ id }) => id), degraded]).toEqual([['one'], undefined])
  expect(created()).toBe(1)
})

test('the first memory starts the engine', async () => {
  const { engine, harness } = await openPlace()
  await engine.search(question)

  await harness.insert('one', 'a cat')
  engine.changed()

  await vi.waitFor(() => expect(engine.health().rows).toBe(1), { timeout: 10_000 })
})

test('a database with memories is answered as index_building at first', async () => {
  const { harness, open } = await openPlace()
  await harness.insert('one', 'a cat')

  expect((await open().search(question)).degraded).toBe('index_building')
})

test('searches after closing fail', async () => {
  const { engine, harness, created } = await openPlace()

  await engine.close()
  await harness.insert('one', 'a cat')
  engine.changed()

  await expect(engine.search(question)).rejects.toThrow('The search engine is closed.')
  expect(created()).toBe(0)
})

async function openPlace() {
  const { file = '', db, ...database } = await openTestSqlite()
  const snapshotFile = join(await temporaryFolder(), 'search', 'memories.snap')
  const create = vi.fn(() =>
    createEmbeddedEngine({
      host,
      log: createLog('silent'),
      ...fileFeeds,
      file,
      snapshotFile,
      readModel: () => model,
    }),
  )
  const open = () => {
    const engine = createLazyEngine({ host, isEmpty: () => isUntouched(db), create })
    onTestFinished(() => engine.close())
    return engine
  }
  const harness = await createEngineHarness({ ...database, file, db }, open)
  return { harness, open, engine: open(), created: () => create.mock.calls.length }
}
