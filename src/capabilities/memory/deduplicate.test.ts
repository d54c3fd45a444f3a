import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { runRepair } from '../../kernel/testing/run-repair.ts'
import { readDuplicates } from './deduplicate.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import type { RememberRequest } from './new-memory.ts'
import { readHistory, readMemory } from './read.ts'
import { remember } from './remember.ts'
import { createMemoryRepairs } from './repairs.ts'

const ada = callerFor('ada')

async function prepare(db: Db, vectors?: ReadonlyMap<string, Float32Array>) {
  const { needs } = memoryNeeds(db)
  const vectorsOf = async () => vectors ?? new Map<string, Float32Array>()
  const all = { ...needs, vectors: { vectorsOf } }
  const save = async (request: RememberRequest) => (await remember(needs, ada, request)).memory.id
  const merge = (input = {}, dryRun = false) =>
    runRepair(db, createMemoryRepairs(all), { name: 'deduplicate', input, dryRun })
  const isLive = async (id: string) =>
    (await readMemory(needs, ada, { id, deleted: true })).deletedAt === null
  return { needs: all, save, merge, isLive }
}

onEachEngine('of equal contents the global memory stays, with the tags of both', async (db) => {
  const { isLive, merge, needs, save } = await prepare(db)
  const content = 'The fern needs water.'
  const own = await save({
    ...plain(content),
    visibility: 'private',
    tags: ['own'],
    importance: 0.9,
  })
  const open = await save({ ...plain(content), tags: ['open'], importance: 0.4 })
  const elsewhere = await save({ ...plain(content), project: 'garden' })

  expect(await readDuplicates(needs)).toMatchObject({
    exactClusters: 1,
    exactExcess: 1,
    totalActive: 3,
    duplicates: [{ count: 2, memoryIds: [open, own] }],
  })
  expect(await merge({}, true)).toMatchObject({ affected: 1, counts: { clusters: 1 } })
  expect(await merge()).toMatchObject({ affected: 1, counts: { clusters: 1 } })
  expect(await merge()).toMatchObject({ affected: 0 })

  expect([await isLive(own), await isLive(open), await isLive(elsewhere)]).toEqual([
    false,
    true,
    true,
  ])
  const survivor = await readMemory(needs, ada, { id: open })
  expect(survivor).toMatchObject({ importance: 0.9, tags: ['open', 'own'] })
  const history = await readHistory(needs, ada, { id: own, limit: 10 })
  expect(JSON.stringify(history)).toContain(open)
})

onEachEngine('a pinned memory is never merged', async (db) => {
  const { isLive, merge, save } = await prepare(db)
  const pinned = await save({ ...plain('The key is red.'), visibility: 'private', pinned: true })
  await save(plain('The key is red.'))

  expect(await merge()).toMatchObject({ affected: 0 })
  expect(await isLive(pinned)).toBe(true)
})

onEachEngine('similar texts are merged on request only', async (db) => {
  const vectors = new Map<string, Float32Array>()
  const { isLive, merge, save } = await prepare(db, vectors)
  const survivor = await save({ ...plain('The lamp is in the hall.'), importance: 0.9 })
  const similar = await save({ ...plain('The lamp stands in the hall.'), importance: 0.5 })
  const other = await save({ ...plain('The cat sleeps.'), importance: 0.5 })
  vectors.set(survivor, Float32Array.of(1, 0)).set(similar, Float32Array.of(0.99, 0.14))
  vectors.set(other, Float32Array.of(0, 1))

  expect(await merge()).toMatchObject({ affected: 0 })
  expect(await merge({ semanticEnabled: true })).toMatchObject({ affected: 1 })
  expect([await isLive(survivor), await isLive(similar), await isLive(other)]).toEqual([
    true,
    false,
    true,
  ])
})
