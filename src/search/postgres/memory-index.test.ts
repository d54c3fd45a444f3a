import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import { realHost } from '../../kernel/host/host.ts'
import {
  openPlainPostgres,
  openTestPostgres,
  startPostgresAhead,
} from '../../kernel/testing/engines.ts'
import { testServer } from '../../kernel/testing/test-server.ts'
import { engineContract } from '../contract/engine.contract.ts'
import { findIds, findSorted, queryFor, vectorQuery } from '../contract/harness.fixture.ts'
import { embed } from '../engine.fixture.ts'
import { openMemoryIndex } from './memory-index.fixture.ts'

const patience = { timeout: 10_000 }
const near = vectorQuery('tiny', 1, 0)

type Tables = {
  memories: { readonly id: string }
  memoryPurged: { readonly id: string }
  memoryVectors: { readonly identity: string; readonly memoryId: string }
  memoryRevision: { readonly value: number; readonly sweptTo: number }
}

startPostgresAhead()

test.for(engineContract)('$name', async ({ run }) => {
  const { harness } = await openMemoryIndex(await openTestPostgres())
  await run(harness)
})

test('vectors are searched on a server without pgvector', { timeout: 60_000 }, async () => {
  const { harness } = await openMemoryIndex(await openPlainPostgres())
  const engine = await harness.open()
  await harness.insert('one', 'a cat')
  await harness.embed('one', 'tiny', [[1, 0]])

  const answer = await engine.search(queryFor('dog', near))

  expect(answer).toMatchObject({ candidates: [{ id: 'one', source: 'vector' }] })
  expect(answer).not.toHaveProperty('withoutVectors')
})

test('a second engine finds at once what the first one acknowledged', async () => {
  const { harness, create } = await openMemoryIndex(await openTestPostgres())
  const engine = await harness.open()
  const other = create()
  await vi.waitFor(() => expect(other.health().state).toBe('ready'), patience)

  for (const number of [1, 2, 3]) {
    await harness.insert(`memory-${number}`, `cat number${number}`)
    await harness.embed(`memory-${number}`, 'tiny', [[1, number]])
    for (const each of [engine, other])
      expect(await findIds(each, `number${number}`, near)).toContain(`memory-${number}`)
  }
  await harness.purge('memory-2')
  expect(await findSorted(other, 'cat')).toEqual(['memory-1', 'memory-3'])
})

test('a search reads the rows of its hits, also after commits that were not reported', async () => {
  const { harness, create } = await openMemoryIndex(await openTestPostgres())
  await harness.open()
  const other = create()
  await vi.waitFor(() => expect(other.health().state).toBe('ready'), patience)
  const sql =
    'select id, content from memories where id in ($1, $2, $3) and agent_id = $4 order by id'
  const select = { sql, parameters: ['ada'], list: { at: 0, places: 3 } }
  const find = () => other.search(queryFor('cat', { select, limit: 3 }))

  expect((await find()).selected).toEqual({ columns: [], rows: [] })
  await harness.insert('one', 'a cat')
  // The search in between was ahead of the database, so its rows are left to the caller.
  expect((await find()).candidates).toMatchObject([{ id: 'one' }])
  expect(await find()).toMatchObject({
    candidates: [{ id: 'one' }],
    selected: { columns: ['id', 'content'], rows: [['one', 'a cat']] },
  })
  await harness.purge('one')
  expect((await find()).candidates).toEqual([])
})

test('a restart restores the snapshot of the same server', async () => {
  const { harness, snapshotFile, pages } = await openMemoryIndex(await openTestPostgres())
  const first = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  await harness.embed('memory-1', 'tiny', [[1, 0]])
  const { candidates } = await first.search(queryFor('cat', near))
  await first.close()
  await readFile(snapshotFile)
  pages.length = 0

  const second = await harness.open()

  expect((await second.search(queryFor('cat', near))).candidates).toEqual(candidates)
  // The rows that prove that it is the same history, and no others.
  expect(pages).toEqual([{ after: 0, limit: 100 }])
  await harness.insert('memory-4', 'cat number4')
  expect(await findSorted(second, 'cat')).toHaveLength(4)
  expect(pages.slice(1)).toEqual([{ after: 3, limit: 500 }])
})

test.for(['created again', 'restored', 'restored and used since'])(
  'a snapshot is ignored after the database was %s',
  async (event) => {
    const database = await openTestPostgres()
    const { harness, snapshotFile, create, pages } = await openMemoryIndex(database)
    const db = database.db.withTables<Tables>()
    const first = await harness.open()
    for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
    await findIds(first, 'cat')
    await first.close()
    await readFile(snapshotFile)

    if (event === 'created again') {
      await db.schema.alterTable('memories').renameTo('old').execute()
      await db.schema
        .createTable('copy')
        .as(db.withTables<{ old: object }>().selectFrom('old').selectAll())
        .execute()
      await db.schema.alterTable('copy').renameTo('memories').execute()
    } else {
      await db.deleteFrom('memories').where('id', '=', 'memory-3').execute()
      await db.updateTable('memoryRevision').set({ value: 2 }).execute()
    }
    if (event === 'restored and used since')
      for (const number of [5, 6]) await harness.insert(`memory-${number}`, `cat number${number}`)

    pages.length = 0
    const engine = create()
    await vi.waitFor(() => expect(engine.health().state).toBe('ready'), patience)
    const expected = await db.selectFrom('memories').select('id').orderBy('id').execute()
    expect(await findSorted(engine, 'cat')).toEqual(expected.map(({ id }) => id))
    expect(pages).toContainEqual({ after: 0, limit: 500 })
  },
)

test('a lost connection fails one search, and the next one catches up', async () => {
  const { harness, failures, warnings } = await openMemoryIndex(await openTestPostgres())
  const engine = await harness.open()
  await harness.insert('one', 'a cat')
  expect(await findIds(engine, 'cat')).toEqual(['one'])
  for (const call of ['readNewest', 'begin', 'readMemories', 'readVectors'] as const) {
    await harness.insert(call, `a cat of ${call}`)
    await harness.embed(call, 'tiny', [[1, 0]])
    failures.add(call)
    await expect(engine.search(queryFor('cat'))).rejects.toThrow('lost on the way')
    failures.clear()
    expect(await findIds(engine, call)).toContain(call)
    expect(await findIds(engine, 'dog', near)).toContain(call)
  }
  expect(engine.health().state).toBe('ready')
  failures.add('readNewest')
  engine.changed()
  await vi.waitFor(() => expect(engine.health().state).toBe('failed'), patience)
  failures.clear()
  await vi.waitFor(() => expect(engine.health().state).toBe('ready'), patience)
  expect(warnings.join()).toContain('search index catch-up failed')
})

test('missed purges rebuild the index', async () => {
  const database = await openTestPostgres()
  const { harness, snapshotFile } = await openMemoryIndex(database)
  const db = database.db.withTables<Tables>()
  const first = await harness.open()
  for (const number of [1, 2, 3]) await harness.insert(`memory-${number}`, `cat number${number}`)
  await findIds(first, 'cat')
  await first.close()
  await readFile(snapshotFile)
  await harness.purge('memory-2')
  await db.deleteFrom('memoryPurged').execute()
  await db
    .updateTable('memoryRevision')
    .set((row) => ({ sweptTo: row.ref('value') }))
    .execute()

  const second = await harness.open()

  expect(await findSorted(second, 'cat')).toEqual(['memory-1', 'memory-3'])
  await second.close()
  expect(await readFile(snapshotFile, 'latin1').catch(() => '')).not.toContain('number2')
})

test('an earlier text has its vectors again', async () => {
  const { harness } = await openMemoryIndex(await openTestPostgres())
  const engine = await harness.open()
  await harness.insert('one', 'a cat')
  await harness.embed('one', 'tiny', [[1, 0]])
  expect(await findIds(engine, 'dog', near)).toEqual(['one'])
  await harness.change('one', { content: 'a motor' })
  expect(await findIds(engine, 'dog', near)).toEqual([])

  await harness.change('one', { content: 'a cat' })

  expect(await findIds(engine, 'dog', near)).toEqual(['one'])
})

test('vectors of a removed model are dropped, others stay', async () => {
  const database = await openTestPostgres()
  const { harness } = await openMemoryIndex(database)
  const engine = await harness.open()
  await harness.insert('one', 'a cat')
  await harness.embed('one', 'tiny', [[1, 0]])
  await harness.embed('one', 'other', [[0, 1]])
  engine.changed()
  await vi.waitFor(() => expect(engine.health().vectors).toBe(2), patience)

  const db = database.db.withTables<Tables>()
  await db.deleteFrom('memoryVectors').where('identity', '=', 'tiny').execute()
  engine.changed()

  await vi.waitFor(() => expect(engine.health().vectors).toBe(1), patience)
})

test.skipIf(!testServer)('a late commit is not missed', async () => {
  const database = await openTestPostgres()
  const { db } = database
  const { harness } = await openMemoryIndex(database)
  for (const id of ['late', 'early', 'first']) {
    await harness.insert(id, id)
    await harness.embed(id, 'tiny', [[1, 0]])
  }
  const engine = await harness.open()
  expect(await findSorted(engine, 'cat', near)).toEqual(['early', 'first', 'late'])

  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const away = { identity: 'tiny', vectors: [[-1, 0]] }
  const late = transaction(db, async (db) => {
    await embed(db, { ...away, id: 'late' })
    begun.resolve()
    await go.promise
  })
  await begun.promise
  await transaction(db, (db) => embed(db, { ...away, id: 'early' }))
  const pendingIds = findSorted(engine, 'cat', near)
  await realHost.sleep(200)
  go.resolve()
  await late

  expect(await pendingIds).toEqual(['first'])
})
