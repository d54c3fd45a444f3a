import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database, Db } from '../../../../kernel/db/database.ts'
import { migrate } from '../../../../kernel/db/migrations.ts'
import { createLog } from '../../../../kernel/log/log.ts'
import { openTestSqlite, temporaryFolder } from '../../../../kernel/testing/engines.ts'
import { fixedHost } from '../../../../kernel/testing/fixed-host.ts'
import { readStaticModel } from '../../../embeddings/index.ts'
import { memoryFeed, memoryMigrations } from '../../../memory/index.ts'
import type { EngineQuery, SearchEngine } from '../engine.ts'
import { EngineLost } from '../engine-error.ts'
import { createEmbeddedEngine } from './embedded-engine.ts'

const vectorFeed = {
  sql: 'select * from kept_vectors where revision > ? order by revision limit ?',
}

type Tables = {
  memories: Readonly<Record<string, unknown>>
  keptVectors: Readonly<Record<string, unknown>>
}

/** Reading it takes a moment, so all tests share it. */
const model = readStaticModel()

const asking = (text: string, more: Partial<EngineQuery> = {}): EngineQuery => ({
  text,
  readScope: { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null },
  filters: { scope: null },
  limit: 10,
  now: '2026-01-02T03:04:05.000Z',
  ...more,
})

test('what is committed is found by the question that follows', async () => {
  const { keep, engine, ready } = await openEngine()
  await ready()

  for (const number of [1, 2, 3, 4, 5]) {
    await keep(`memory-${number}`, `the password of safe number${number} is swordfish`)
    const { candidates, degraded } = await engine.search(asking(`number${number}`))
    expect([candidates[0]?.id, degraded]).toEqual([`memory-${number}`, undefined])
  }
})

test('what changes and what goes is no longer found by what it was', async () => {
  const { keep, change, engine, ready } = await openEngine()
  await ready()
  await keep('one', 'the cat is grey')
  await keep('two', 'the dog is brown')

  await change('one', { content: 'the cat is black' })
  await change('two', { deletedAt: '2026-01-01T00:00:00.000Z' })

  expect(await found(engine, 'grey')).toEqual([])
  expect(await found(engine, 'black')).toEqual(['one'])
  expect(await found(engine, 'dog')).toEqual([])
})

test('vectors find what words do not, and the nearest to what is kept', async () => {
  const { keep, embed, engine, ready } = await openEngine()
  await ready()
  await keep('one', 'a feline')
  await keep('two', 'an engine')
  await keep('three', 'a motor')
  await embed('one', [1, 0])
  await embed('two', [0, 1])
  await embed('three', [0.6, 0.8])
  const vector = { identity: 'tiny', values: Float32Array.from([1, 0]) }

  expect(await found(engine, 'cat', { vector })).toEqual(['one', 'three'])
  const nearest = { ...asking(''), id: 'two', identity: 'tiny' }
  expect((await engine.similar(nearest))?.candidates.map(({ id }) => id)).toEqual(['three'])
  expect(await engine.similar({ ...nearest, identity: 'other' })).toBeUndefined()
  expect(await found(engine, 'cat', { vector: { ...vector, identity: 'other' } })).toEqual([])
})

test('a memory of another agent is nobody else to find', async () => {
  const { keep, engine, ready } = await openEngine()
  await ready()
  await keep('one', 'a secret of hers')

  const readScope = { ...asking('').readScope, agentId: 'bob' }

  expect(await found(engine, 'secret', { readScope })).toEqual([])
  expect(await found(engine, 'secret')).toEqual(['one'])
})

test('before the index is built an answer says so', async () => {
  const { engine } = await openEngine()

  const { candidates, degraded } = await engine.search(asking('anything'))

  expect([candidates, degraded]).toEqual([[], 'index_building'])
})

test('many questions at once are answered, and what is asked after the end is refused', async () => {
  const { keep, engine, ready } = await openEngine()
  await ready()
  await keep('one', 'a cat')

  const answers = await Promise.all(Array.from({ length: 100 }, () => found(engine, 'cat')))
  await engine.close()

  expect(new Set(answers.map(([id]) => id))).toEqual(new Set(['one']))
  await expect(engine.search(asking('cat'))).rejects.toBeInstanceOf(EngineLost)
})

test('a restart goes on from the snapshot, and from nothing where there is none that is whole', async () => {
  const place = await openPlace()
  const first = await openEngine(place)
  await first.ready()
  for (const number of [1, 2, 3]) await first.keep(`memory-${number}`, `cat number${number}`)
  await first.embed('memory-1', [1, 0])
  await found(first.engine, 'cat')
  await vi.waitFor(() => readFile(place.snapshotFile), { timeout: 10_000 })
  await first.keep('memory-4', 'cat number4')
  await first.change('memory-2', { deletedAt: createdAt })
  const vector = { identity: 'tiny', values: Float32Array.of(1, 0) }
  const expected = (await first.engine.search(asking('cat', { vector }))).candidates
  expect(expected).toHaveLength(3)
  await first.engine.close()

  for (const spoil of [false, true]) {
    if (spoil) await truncate(place.snapshotFile, 99)
    const { engine, ready } = await openEngine(place)
    await ready()
    expect((await engine.search(asking('cat', { vector }))).candidates).toEqual(expected)
    await engine.close()
  }
})

async function found(engine: SearchEngine, text: string, more: Partial<EngineQuery> = {}) {
  const { candidates } = await engine.search(asking(text, more))
  return candidates.map(({ id }) => id)
}

async function openPlace() {
  const database = await openTestSqlite()
  await migrate(database, memoryMigrations, fixedHost().now())
  const folder = await temporaryFolder()
  const db = database.db.withTables<Tables>()
  await createVectorTable(database.db)
  const snapshotFile = join(folder, 'search', 'memories.snap')
  return { db, file: fileOf(database), snapshotFile, count: { revision: 0 } }
}

async function openEngine(given?: Awaited<ReturnType<typeof openPlace>>) {
  const { db, count, ...files } = given ?? (await openPlace())
  const engine = createEmbeddedEngine({
    ...{ host: fixedHost(), log: createLog('silent'), memoryFeed, vectorFeed },
    readModel: () => model,
    ...{ ...files, snapshotAfter: 3 },
  })
  onTestFinished(() => engine.close())
  return {
    engine,
    ready: () => vi.waitFor(() => expect(engine.health().state).toBe('ready'), { timeout: 10_000 }),
    keep: async (id: string, content: string) => {
      count.revision += 1
      const { revision } = count
      const values = { ...memory, id, content, contentHash: id, revision }
      await db.insertInto('memories').values(values).execute()
      engine.changed()
    },
    change: async (id: string, changed: object) => {
      count.revision += 1
      const values = { ...changed, revision: count.revision }
      await db.updateTable('memories').set(values).where('id', '=', id).execute()
    },
    embed: async (memoryId: string, vector: readonly number[]) => {
      const bytes = Buffer.from(Float32Array.from(vector).buffer)
      const values = { memoryId, identity: 'tiny', passage: 0, dims: vector.length, vector: bytes }
      await db.insertInto('keptVectors').values(values).execute()
    },
  }
}

const createdAt = '2025-06-01T00:00:00.000Z'
const memory = {
  ...{ agentId: 'ada', visibility: 'private', type: 'fact', memoryKind: 'semantic' },
  ...{ importance: 0.5, pinned: 0, who: 'ada', sourceType: 'manual', extractionStatus: 'none' },
  ...{ version: 1, createdAt, updatedAt: createdAt, updatedBy: 'ada' },
}

async function createVectorTable({ schema }: Db): Promise<void> {
  await schema
    .createTable('kept_vectors')
    .addColumn('revision', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('memory_id', 'text')
    .addColumn('identity', 'text')
    .addColumn('passage', 'integer')
    .addColumn('dims', 'integer')
    .addColumn('vector', 'blob')
    .execute()
}

function fileOf({ file }: Database): string {
  if (file === undefined) throw new Error('The database is in no file.')
  return file
}
