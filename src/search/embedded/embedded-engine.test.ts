import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { takeSharedSqlite } from '../../kernel/testing/shared-sqlite.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { engineContract } from '../contract/engine.contract.ts'
import { findSorted, queryFor, vectorQuery } from '../contract/harness.fixture.ts'
import { engineMigrations, fileFeeds, model, toEngineHarness } from '../engine.fixture.ts'
import { createEmbeddedEngine } from './embedded-engine.ts'

/** Read once by all tests. */

type Tables = {
  memories: { readonly id: string }
  memoryVectors: { readonly identity: string; readonly memoryId: string }
  memoryPurged: { readonly id: string }
  memoryRevision: { readonly value: number; readonly sweptTo: number }
}

const patience = { timeout: 10_000 }

test.for(engineContract)('$name', async ({ run }) => {
  const { world: harness } = await openPlace()

  await run(harness)
})

test('a search before the index is built is degraded', async () => {
  const { create } = await openPlace()

  const { candidates, degraded } = await create().search(queryFor('anything'))

  expect([candidates, degraded]).toEqual([[], 'index_building'])
})

test('a restart restores the snapshot, and rebuilds the index if it is corrupt', async () => {
  const { world: harness, snapshotFile } = await openPlace()
  const first = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  const { candidates } = await first.search(queryFor('cat'))
  expect(candidates).toHaveLength(3)
  await vi.waitFor(() => readFile(snapshotFile), patience)
  await first.close()

  for (const spoil of [false, true]) {
    if (spoil) await truncate(snapshotFile, 99)
    const engine = await harness.open()
    expect((await engine.search(queryFor('cat'))).candidates).toEqual(candidates)
    await engine.close()
  }
})

const inTheWay = {
  'stands in its place': async (file: string) => mkdir(file, { recursive: true }),
  'stands in the place of its folder': async (file: string) => writeFile(dirname(file), ''),
}
test.for(Object.entries(inTheWay))(
  'a snapshot is done without where something %s',
  async ([, put]) => {
    const warned: string[] = []
    const log = createLog('warn', { write: (line) => warned.push(line) })
    const { world: harness, snapshotFile } = await openPlace({ log })
    await put(snapshotFile)
    await harness.insert('one', 'a cat')

    for (let start = 0; start < 2; start++) {
      const engine = await harness.open()
      expect(await findSorted(engine, 'cat')).toEqual(['one'])
      await engine.close()
      expect(warned.splice(0).join()).toMatch(/index snapshot failed: Error: E/)
    }
  },
)

test('closing writes a snapshot that was not due before', async () => {
  const { world: harness, snapshotFile } = await openPlace()
  const engine = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)

  // A search reads changes at once; the snapshot is scheduled later.
  await engine.search(queryFor('cat'))
  await engine.close()

  expect(await readFile(snapshotFile, 'latin1')).toContain('number3')
})

test('temporary snapshot files of a killed process are removed', async () => {
  const { world: harness, snapshotFile } = await openPlace()
  const folder = dirname(snapshotFile)
  await mkdir(join(folder, '.next-abcdef'), { recursive: true })
  await writeFile(join(folder, '.next-abcdef', 'file'), 'swordfish')

  await harness.open()

  expect(await readdir(folder)).toEqual([])
})

test('a dead thread is replaced and its index rebuilt', async () => {
  const { world: harness, db } = await openPlace()
  const engine = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  await harness.embed('memory-2', 'tiny', [[1, 0]])
  const question = { ...queryFor('cat'), ...vectorQuery('tiny', 1, 0) }
  await engine.search(question)

  await db.schema.alterTable('embedding_models').renameTo('hidden').execute()
  engine.changed()
  await vi.waitFor(() => expect(engine.health().state).not.toBe('ready'), patience)
  const meanwhile = await engine.search(question)
  await db.schema.alterTable('hidden').renameTo('embedding_models').execute()
  await harness.insert('memory-4', 'cat number4')
  await vi.waitFor(() => expect(engine.health().state).toBe('ready'), patience)

  expect(meanwhile.candidates).toEqual([])
  expect(meanwhile.degraded).toMatch(/^index_(building|failed)$/)
  const { candidates } = await engine.search(question)
  expect(candidates).toHaveLength(4)
  await engine.close()
  expect((await (await harness.open()).search(question)).candidates).toEqual(candidates)
})

test('a deferred select is answered with the hits', async () => {
  const { world: harness } = await openPlace()
  const engine = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  const sql = 'select content from memories where id in (?, ?, ?) and agent_id = ? order by id'
  const select = { sql, parameters: ['ada'], list: { at: 0, places: 3 } }

  expect(await engine.search(queryFor('cat', { select, limit: 2 }))).toMatchObject({
    selected: { columns: ['content'], rows: [['cat number2'], ['cat number3']] },
  })
  expect((await engine.search(queryFor('dog', { select }))).selected).toEqual({
    columns: [],
    rows: [],
  })
  expect(await engine.search(queryFor('cat'))).not.toHaveProperty('selected')
  await expect(
    engine.search(queryFor('cat', { select: { ...select, sql: 'select' } })),
  ).rejects.toThrow('incomplete')
  expect((await engine.search(queryFor('cat'))).candidates).toHaveLength(3)
})

test('a rebuilt index has no vectors of changed texts', async () => {
  const { world: harness, snapshotFile } = await openPlace()
  const first = await harness.open()
  const near = vectorQuery('tiny', 1, 0)
  for (const number of [1, 2]) await harness.insert(`memory-${number}`, `feline number${number}`)
  for (const number of [1, 2]) await harness.embed(`memory-${number}`, 'tiny', [[1, 0]])
  expect(await findSorted(first, 'cat', near)).toEqual(['memory-1', 'memory-2'])

  await harness.change('memory-2', { content: 'a motor' })
  expect(await findSorted(first, 'cat', near)).toEqual(['memory-1'])
  await first.close()
  await rm(snapshotFile, { force: true })
  const second = await harness.open()
  expect(await findSorted(second, 'cat', near)).toEqual(['memory-1'])
  await harness.insert('memory-3', 'a cat')
  expect(await findSorted(second, 'cat', near)).toEqual(['memory-1', 'memory-3'])
})

test('vectors of a removed model are dropped, others stay', async () => {
  const { world: harness, db } = await openPlace()
  const engine = await harness.open()
  await harness.insert('one', 'a cat')
  await harness.embed('one', 'tiny', [[1, 0]])
  await harness.embed('one', 'other', [[0, 1]])
  engine.changed()
  await vi.waitFor(() => expect(engine.health().vectors).toBe(2), patience)

  await db.deleteFrom('memoryVectors').where('identity', '=', 'tiny').execute()
  engine.changed()

  await vi.waitFor(() => expect(engine.health().vectors).toBe(1), patience)
  const similar = (identity: string) => engine.similar({ ...queryFor(''), id: 'one', identity })
  expect(await similar('tiny')).toBeUndefined()
  expect(await similar('other')).toBeDefined()
})

test('purged memories leave the snapshot, also of a rebuilt index', async () => {
  const { world: harness, db, snapshotFile } = await openPlace()
  const first = await harness.open()
  const restored = () => readFile(snapshotFile, 'latin1')
  await harness.insert('one', 'the secret is swordfish', { who: 'Quasimodo', tags: 'halibut' })
  for (const number of [2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  await vi.waitFor(async () => expect(await restored()).toContain('swordfish'), patience)
  expect(await restored()).toMatch(/Quasimodo.*halibut/s)

  await harness.purge('one')

  await vi.waitFor(async () => expect(await restored()).not.toContain('swordfish'), patience)
  expect(await restored()).not.toMatch(/Quasimodo|halibut/)
  expect(await restored()).toContain('number2')
  await first.close()

  await harness.purge('memory-2')
  // The state after the purge record has expired.
  await db.deleteFrom('memoryPurged').execute()
  await db
    .updateTable('memoryRevision')
    .set((row) => ({ sweptTo: row.ref('value') }))
    .execute()
  await harness.insert('memory-4', 'cat number4')
  const second = await harness.open()
  const { candidates } = await second.search(queryFor('cat'))
  expect(candidates.map(({ id }) => id)).toEqual(['memory-4', 'memory-3'])
  await second.close()
  expect(await restored().catch(() => '')).not.toContain('number2')
})

test('a purge right before closing leaves the snapshot', async () => {
  const { world: harness, snapshotFile } = await openPlace()
  const engine = await harness.open()
  const restored = () => readFile(snapshotFile, 'latin1')
  await harness.insert('one', 'the secret is swordfish')
  for (const number of [2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  await vi.waitFor(async () => expect(await restored()).toContain('swordfish'), patience)

  await harness.purge('one')
  await engine.close()

  expect(await restored()).not.toContain('swordfish')
  expect(await restored()).toContain('number2')
})

test('an outdated snapshot with missed purges is deleted', async () => {
  const { world: harness, snapshotFile, db } = await openPlace()
  const engine = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  await vi.waitFor(() => readFile(snapshotFile), patience)

  await db.schema.alterTable('memories').renameTo('hidden').execute()
  await engine.close()

  await expect(readFile(snapshotFile)).rejects.toThrow('ENOENT')
})

test('a restored database is searched without later memories', async () => {
  const { world: harness, db, snapshotFile } = await openPlace()
  const first = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  await vi.waitFor(() => readFile(snapshotFile), patience)
  await first.close()

  await db.deleteFrom('memories').where('id', '=', 'memory-3').execute()
  await db.updateTable('memoryRevision').set({ value: 2 }).execute()

  const { candidates } = await (await harness.open()).search(queryFor('cat'))
  expect(candidates.map(({ id }) => id).toSorted()).toEqual(['memory-1', 'memory-2'])
  // The rebuilt index is not in the file yet.
  await expect(readFile(snapshotFile)).rejects.toThrow('ENOENT')
})

test('a restored database is searched without later vectors', async () => {
  const { world: harness, db } = await openPlace({ snapshotAfter: 1 })
  const first = await harness.open()
  for (const number of [1, 2]) await harness.insert(`memory-${number}`, `cat number${number}`)
  for (const number of [1, 2]) await harness.embed(`memory-${number}`, 'tiny', [[1, number]])
  await first.search(queryFor('cat'))
  await first.close()

  await db.deleteFrom('memoryVectors').where('memoryId', '=', 'memory-2').execute()

  const second = await harness.open()
  const similar = (id: string) => second.similar({ ...queryFor(''), id, identity: 'tiny' })
  expect(await similar('memory-2')).toBeUndefined()
  expect(await similar('memory-1')).toMatchObject({ candidates: [] })
})

async function openPlace({ log = createLog('silent'), snapshotAfter = 3 } = {}) {
  const { db, file } = await takeSharedSqlite(engineMigrations)
  const snapshotFile = join(await temporaryFolder(), 'search', 'memories.snap')
  const create = () => {
    const engine = createEmbeddedEngine({
      host: realHost,
      log,
      ...fileFeeds,
      readModel: () => model,
      file,
      snapshotFile,
      snapshotAfter,
    })
    onTestFinished(() => engine.close())
    return engine
  }
  const harness = toEngineHarness(db, create)
  return { world: harness, create, snapshotFile, db: db.withTables<Tables>() }
}
