import { expect, test } from 'vitest'
import type { Database, Db } from '../../kernel/db/database.ts'
import {
  openPlainPostgres,
  openTestPostgres,
  startPostgresAhead,
} from '../../kernel/testing/engines.ts'
import { testServer } from '../../kernel/testing/test-server.ts'
import { engineContract } from '../contract/engine.contract.ts'
import { findIds, findSorted, queryFor, vectorQuery } from '../contract/harness.fixture.ts'
import { createPostgresHarness } from './harness.fixture.ts'

const owned = ['memorySearch', 'memorySearchTerms', 'memorySearchNames'] as const
type Tables = Record<
  (typeof owned)[number] | 'memorySearchVectors' | 'memoryPurged' | 'memoryVectors',
  object
> & {
  memorySearchState: { readonly rules: number }
  memorySearchFields: { readonly field: string; readonly texts: number }
  memoryRevision: { readonly value: number; readonly sweptTo: number }
  pgAvailableExtensions: { readonly name: string }
  pgIndexes: { readonly indexname: string }
  embeddingModels: { readonly state: string }
}
const tables = (db: Db) => db.withTables<Tables>()

startPostgresAhead()

test.for(engineContract)('$name', async ({ run, needsVectors }, { skip }) => {
  const database = await openTestPostgres()
  skip(needsVectors === true && !(await hasVectors(database)))
  await run(await createPostgresHarness(database))
})

test('without pgvector only words are searched, and the answer says so', async () => {
  const { insert, embed, open } = await createPostgresHarness(await openPlainPostgres())
  const engine = await open()
  await insert('one', 'a cat')
  await embed('one', 'tiny', [[1, 0]])

  const answer = await engine.search(queryFor('cat', vectorQuery('tiny', 1, 0)))

  expect(answer).toMatchObject({
    candidates: [{ id: 'one', source: 'keyword' }],
    withoutVectors: 'no_vector_extension',
  })
  expect(await engine.search(queryFor('cat'))).not.toHaveProperty('withoutVectors')
  expect(await engine.similar({ ...queryFor(''), id: 'one', identity: 'tiny' })).toMatchObject({
    degraded: 'no_vector_extension',
  })
  expect(engine.health()).toMatchObject({
    state: 'ready',
    vectors: 0,
    withoutVectors: 'no_vector_extension',
  })
})

test('another analyzer rebuilds the index, and the older daemon is refused', async () => {
  const database = await openTestPostgres()
  const { insert, purge, open } = await createPostgresHarness(database)
  const first = await open()
  for (const id of ['one', 'two']) await insert(id, 'a cat', { contentHash: id })
  expect(await findIds(first, 'cat')).toEqual(['two', 'one'])
  await tables(database.db)
    .updateTable('memorySearchState')
    .set((eb) => ({ rules: eb('rules', '+', 1) }))
    .execute()
  await expect(first.search(queryFor('cat'))).rejects.toThrow('another text analyzer')
  await first.close()
  await purge('one')

  const second = await open()

  expect(await findIds(second, 'cat')).toEqual(['two'])
  const counted = tables(database.db).selectFrom('memorySearchFields').selectAll()
  expect(await counted.execute()).toContainEqual(
    expect.objectContaining({ field: 'words', texts: 1 }),
  )
})

test.for([0, 1])(
  'missed purges rebuild the index once, also with an analyzer that is %i newer',
  async (newer) => {
    const database = await openTestPostgres()
    const { insert, embed, purge, open } = await createPostgresHarness(database)
    const first = await open()
    for (const id of ['one', 'two']) await insert(id, `a cat of ${id}`)
    for (const id of ['one', 'two']) await embed(id, 'tiny', [[1, 0]])
    expect(await findSorted(first, 'dog', vectorQuery('tiny', 1, 0))).toEqual(['one', 'two'])
    await first.close()
    await purge('one')
    await tables(database.db).deleteFrom('memoryPurged').execute()
    await tables(database.db)
      .updateTable('memoryRevision')
      .set((eb) => ({ sweptTo: eb.ref('value') }))
      .execute()
    await tables(database.db)
      .updateTable('memorySearchState')
      .set((eb) => ({ rules: eb('rules', '-', newer) }))
      .execute()

    const second = await open()

    expect(await findIds(second, 'cat')).toEqual(['two'])
    expect(await findIds(second, 'dog', vectorQuery('tiny', 1, 0))).toEqual(['two'])
    expect(second.health()).toMatchObject({ rows: 1, vectors: 1 })
    const vectors = tables(database.db).selectFrom('memorySearchVectors').selectAll()
    expect(await vectors.execute()).toMatchObject([{ memoryId: 'two' }])
  },
)

test('vectors survive a change of the analyzer if no purge was missed', async () => {
  const database = await openTestPostgres()
  const { insert, embed, purge, open } = await createPostgresHarness(database)
  const first = await open()
  for (const id of ['one', 'two']) await insert(id, `a cat of ${id}`)
  for (const id of ['one', 'two']) await embed(id, 'tiny', [[1, 0]])
  expect(await findSorted(first, 'dog', vectorQuery('tiny', 1, 0))).toEqual(['one', 'two'])
  await purge('two')
  expect(await findIds(first, 'cat')).toEqual(['one'])
  await first.close()
  await tables(database.db).deleteFrom('memoryPurged').execute()
  await tables(database.db)
    .updateTable('memoryRevision')
    .set((eb) => ({ sweptTo: eb.ref('value') }))
    .execute()
  await tables(database.db)
    .updateTable('memorySearchState')
    .set((eb) => ({ rules: eb('rules', '-', 1) }))
    .execute()
  // A rebuilt index has none.
  await tables(database.db).deleteFrom('memoryVectors').execute()

  const second = await open()

  expect(await findIds(second, 'dog', vectorQuery('tiny', 1, 0))).toEqual(['one'])
})

test('a purge leaves no rows', async () => {
  const database = await openTestPostgres()
  const { insert, hint, embed, purge, open } = await createPostgresHarness(database)
  const engine = await open()
  await insert('one', 'a xylophone', { who: 'Quentin' })
  await hint('one', 'ada', 'which glockenspiel')
  await embed('one', 'tiny', [[1, 0]])
  expect(await findIds(engine, 'xylophone')).toEqual(['one'])

  await purge('one')
  await findIds(engine, 'xylophone')

  for (const table of [...owned, 'memorySearchVectors'] as const)
    expect([table, await tables(database.db).selectFrom(table).selectAll().execute()]).toEqual([
      table,
      [],
    ])
})

test('an invalid row is skipped with a warning', async () => {
  const warnings: string[] = []
  const onWarning = (message: string) => warnings.push(message)
  const { insert, change, open } = await createPostgresHarness(await openTestPostgres(), {
    onWarning,
  })
  const engine = await open()
  await insert('one', 'a cat')
  await insert('two', 'a cat and a dog', { contentHash: 'two' })
  expect(await findIds(engine, 'cat')).toEqual(['one', 'two'])

  await change('one', { who: Array.from({ length: 4000 }, (_, at) => at).join() })
  await insert('three', 'a cat', { contentHash: 'three' })

  expect(await findIds(engine, 'cat')).toEqual(['three', 'two'])
  expect(warnings).toEqual([expect.stringContaining('memory one skipped by the search index: ')])
  await change('one', { who: 'ada' })
  expect(await findIds(engine, 'cat')).toContain('one')
})

test('a reader with few rows of rare terms also finds common terms', async () => {
  const settings: { maxScannedRows?: number } = {}
  const { insert, open } = await createPostgresHarness(await openTestPostgres(), settings)
  const words = ['harbour', 'quarry', 'lantern', 'orchard', 'violin', 'anvil']
  for (let number = 0; number < 120; number++) {
    // Later words are rarer; every tenth memory is of Ada.
    const messages = words.filter((_, at) => number % (at + 1) === 0 || number % 7 === at)
    const content = `${messages.join(' ')} number${number}`
    await insert(`memory-${number}`, content, { agentId: number % 10 === 3 ? 'ada' : 'bob' })
  }
  const wide = await open()
  settings.maxScannedRows = 1
  const narrow = await open()

  for (const word of words)
    for (const other of words) {
      const question = `${word} ${other}`
      expect([question, await findIds(narrow, question)]).toEqual([
        question,
        await findIds(wide, question),
      ])
    }
  expect(await findIds(narrow, 'anvil harbour')).toHaveLength(10)
})

test('many vectors get an index until their model is removed, and filters keep recall', async () => {
  const database = await openTestPostgres()
  const { insert, embed, open } = await createPostgresHarness(database, {
    vectorIndexThreshold: 40,
  })
  for (let number = 0; number < 40; number++) {
    const type = number === 39 ? 'rare' : 'usual'
    await insert(`memory-${number}`, 'a note', { contentHash: `${number}`, type })
    await embed(`memory-${number}`, 'tiny', [[Math.cos(number / 99), Math.sin(number / 99)]])
  }
  const engine = await open()
  const listIndexes = async () =>
    (await tables(database.db).selectFrom('pgIndexes').selectAll().execute())
      .map(({ indexname }) => indexname)
      .filter((name) => name.startsWith('memory_search_near_'))
  await expect.poll(listIndexes, { timeout: 10_000 }).toHaveLength(1)

  const near = vectorQuery('tiny', 1, 0)
  expect(await findIds(engine, 'cat', near)).toEqual(
    Array.from({ length: 10 }, (_, number) => `memory-${number}`),
  )
  expect(await findIds(engine, 'cat', { ...near, filters: { scope: null, type: 'rare' } })).toEqual(
    ['memory-39'],
  )
  const similar = await engine.similar({
    ...queryFor(''),
    id: 'memory-0',
    identity: 'tiny',
    limit: 1,
  })
  expect(similar?.candidates.map(({ id }) => id)).toEqual(['memory-1'])

  await tables(database.db).updateTable('embeddingModels').set({ state: 'retired' }).execute()
  await insert('another', 'another')
  await expect.poll(listIndexes, { timeout: 10_000 }).toEqual([])
  expect(await findIds(engine, 'cat', near)).toEqual([])
})

test.skipIf(!testServer)("concurrent daemons find each other's commits", async () => {
  const database = await openTestPostgres()
  const { insert, open } = await createPostgresHarness(database)
  const daemons = [await open(), await open(), await open()]

  const work = daemons.map(async (engine, daemon) => {
    for (let number = 0; number < 20; number++) {
      const name = `number${daemon}x${number}`
      await insert(name, `the safe of ${name}`)
      expect((await findIds(engine, name))[0]).toBe(name)
    }
  })
  await Promise.all(work)

  for (const engine of daemons)
    expect(await findIds(engine, 'safe', { limit: 300 })).toHaveLength(60)
})

async function hasVectors({ db }: Database): Promise<boolean> {
  const known = tables(db).selectFrom('pgAvailableExtensions').selectAll()
  return (await known.where('name', '=', 'vector').execute()).length > 0
}
