import { sql } from 'kysely'
import { expect } from 'vitest'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { forget } from '../forget.ts'
import { memoryNeeds, onEachEngine, plain } from '../memory.fixture.ts'
import { vectorSources } from '../read.ts'
import { remember } from '../remember.ts'
import { countLive, countUnprocessed, isLive } from './embeddable.ts'

const ada = callerFor('ada')
const bob = callerFor('bob')

onEachEngine('counts live memories and those with a vector', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory: one } = await remember(needs, ada, plain('the first harbour'))
  const { memory: two } = await remember(needs, bob, plain('the second harbour'))
  const { memory: gone } = await remember(needs, bob, plain('the third harbour'))
  await forget(needs, bob, { id: gone.id, reason: 'a test', force: true, ifVersion: undefined })
  const isOne = (column: string) => sql<boolean>`${sql.ref(column)} = ${one.id}`
  const isEither = (column: string) =>
    sql<boolean>`(${isOne(column)} or ${sql.ref(column)} = ${two.id})`

  const all = db.withTables<{ memories: { id: string } }>().selectFrom('memories').select('id')
  expect(await all.where(isLive(one.id)).execute()).toHaveLength(3)
  expect(await all.where(isLive(gone.id)).execute()).toEqual([])
  expect(await countLive(db, isOne)).toEqual({ total: 2, embedded: 1 })
  const upTo = Number.MAX_SAFE_INTEGER
  expect(await countUnprocessed(db, { upTo, isProcessed: isOne })).toBe(1)
  expect(await countUnprocessed(db, { upTo, isProcessed: isEither })).toBe(0)
  expect(await countUnprocessed(db, { upTo: 0, isProcessed: isOne })).toBe(0)
})

onEachEngine('lists vectors of one namespace only', async (db) => {
  const { needs } = memoryNeeds(db)
  const sources = vectorSources(needs)
  const { memory: outside } = await remember(needs, ada, plain('outside'))
  const { memory: inside } = await remember(needs, ada, { ...plain('inside'), scope: 'world' })
  const hasVector = () => sql<boolean>`1 = 1`
  const readPage = async (scope: string | undefined) => {
    const page = { limit: 10, offset: 0, scope, hasVector }
    const { embedded } = await sources.countReadable(ada, page)
    const listed = await sources.listReadable(ada, page)
    return [embedded, listed.map(({ id }) => id)]
  }

  expect(await sources.countLive(db, hasVector)).toEqual({ total: 2, embedded: 2 })
  expect(await sources.countCurrent(db, 'model')).toEqual({ total: 2, embedded: 0 })
  expect(await sources.listChanged(db, { after: 0, limit: 10 })).toHaveLength(2)
  expect(await sources.countReadable(ada, { allScopes: true, hasVector })).toMatchObject({
    total: 2,
    embedded: 2,
  })
  expect(await readPage(undefined)).toEqual([1, [outside.id]])
  expect(await readPage('world')).toEqual([1, [inside.id]])
})
