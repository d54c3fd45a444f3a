import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openTestSqlite } from '../../../kernel/testing/engines.ts'
import { vectorFeed } from '../index.ts'
import { embeddingsMigrations } from '../migrations.ts'
import { deleteVectors, insertVectors, modelOf } from './vectors.ts'

const written = { identity: 'small/2/served/plain', createdAt: '2026-01-02T03:04:05.000Z' }

const knownModel = `insert into embedding_models
  (identity, model, dims, quantisation, prompt_format, state, seen_revision, created_at)
  values ('${written.identity}', 'small', 2, 'served', 'plain', 'retired', 0, 'now')`

test('the feed lists each vector once, and again after a change, in revision order', async () => {
  const db = await open()
  await keep(db, 'one', [0.6, 0.8])
  await keep(db, 'two', [1, 0])
  const first = await readFeed(db, 0)
  expect(first.map((row) => row['memoryId'])).toEqual(['one', 'two'])
  expect(first[0]).toMatchObject({ identity: written.identity, passage: 0, dims: 2 })
  const bytes = Buffer.from(first[0]?.['vector'] as Uint8Array)
  expect(bytes.readFloatLE(0)).toBeCloseTo(0.6, 6)
  expect(bytes.readFloatLE(4)).toBeCloseTo(0.8, 6)

  await deleteVectors(db, ['two'], written.identity)
  await keep(db, 'two', [0, 1])

  const last = Number(first.at(-1)?.['revision'])
  const second = await readFeed(db, last)
  expect(second).toMatchObject([{ memoryId: 'two' }])
  expect(Number(second[0]?.['revision'])).toBeGreaterThan(last)
})

test('the feed uses the revision index and does not sort', async () => {
  const db = await open()
  const plan = await ask(db, `explain query plan ${vectorFeed.sql}`, [0, 10])

  expect(plan.map((row) => row['detail'])).toEqual([
    'SEARCH memory_vectors USING INTEGER PRIMARY KEY (rowid>?)',
  ])
})

test('the vectors of one memory are read by index', async () => {
  const db = await open()
  await ask(db, knownModel)
  for (const id of ['one', 'two']) await keep(db, id, [0.6, 0.8])

  const expected = await ask(db, vectorFeed.ofMemorySql, ['two', 2])
  expect(expected).toMatchObject([{ revision: 2, memoryId: 'two', contentHash: 'hash' }])
  expect(await ask(db, vectorFeed.ofMemorySql, ['two', 1])).toEqual([])
  const plan = await ask(db, `explain query plan ${vectorFeed.ofMemorySql}`, ['two', 2])
  expect(plan.map((row) => row['detail'])).toContain(
    'SEARCH memory_vectors USING INDEX memory_vectors_of_memory (identity=? AND memory_id=?)',
  )
})

test('modelOf uses an index', async () => {
  const db = await open()
  const any = db.withTables<{ umapCache: { scope: string } }>().selectFrom('umapCache')

  const { sql, parameters } = any.select(modelOf('umapCache.scope').as('model')).compile()
  const plan = await ask(db, `explain query plan ${sql}`, parameters)

  expect(plan.map((row) => row['detail'])).toContain(
    'SEARCH memory_vectors EXISTS USING COVERING INDEX memory_vectors_of_memory (identity=? AND memory_id=? AND passage=?)',
  )
})

test('an identity is listed while it has a vector', async () => {
  const db = await open()
  await ask(db, knownModel)
  expect(await ask(db, vectorFeed.identitiesSql)).toEqual([])

  await keep(db, 'one', [1, 0])
  expect(await ask(db, vectorFeed.identitiesSql)).toEqual([{ identity: written.identity }])
})

test('a vector whose length differs from dims is rejected', async () => {
  const db = await open()
  const wrong = `insert into memory_vectors
    (memory_id, agent_id, identity, passage, dims, content_hash, vector, created_at)
    values ('one', 'ada', 'x', 0, 3, 'h', x'00000000', 'now')`

  await expect(ask(db, wrong)).rejects.toThrow('CHECK')
})

async function open(): Promise<Db> {
  const database = await openTestSqlite()
  await createTables(database, embeddingsMigrations)
  return database.db
}

async function keep(db: Db, memoryId: string, numbers: readonly number[]): Promise<void> {
  const whole = Float32Array.from(numbers)
  const made = { memoryId, agentId: 'ada', contentHash: 'hash', whole, passages: [] }
  await insertVectors(db, written, [made])
}

const readFeed = (db: Db, after: number) => ask(db, vectorFeed.sql, [after, 10])

async function ask(db: Db, text: string, parameters: readonly unknown[] = []) {
  const query = CompiledQuery.raw(text, [...parameters])
  return (await db.executeQuery<Record<string, unknown>>(query)).rows
}
