import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import type { Memory } from './memory.ts'
import { readLineage } from './read.ts'
import { remember } from './remember.ts'
import { updateMemory } from './store/memories.ts'

const ada = callerFor('ada')
const supersede = (db: Db, old: Memory, supersededBy: string) =>
  updateMemory(db, old, { supersededBy, version: old.version + 1 })

async function chainOf(db: Db, words: readonly string[]) {
  const { needs } = memoryNeeds(db)
  const chain: Memory[] = []
  for (const word of words) chain.push((await remember(needs, ada, plain(word))).memory)
  for (const [index, old] of chain.entries()) {
    const next = chain[index + 1]
    if (next) await supersede(db, old, next.id)
  }
  return { needs, ids: chain.map(({ id }) => id) }
}

onEachEngine('reads the whole chain from any member', async (db) => {
  const { needs, ids } = await chainOf(db, ['one', 'two', 'three'])

  for (const id of ids) {
    const lineage = await readLineage(needs, ada, { id, limit: 50 })
    expect(lineage.map((memory) => memory.id).toSorted()).toEqual(ids.toSorted())
  }
})

onEachEngine('a cycle ends the walk', async (db) => {
  const { needs, ids } = await chainOf(db, ['one', 'two'])
  const [first = '', second = ''] = ids
  await updateMemory(db, { id: second, version: 1 }, { supersededBy: first, version: 2 })

  expect(await readLineage(needs, ada, { id: first, limit: 50 })).toHaveLength(2)
})

onEachEngine('returns nothing for unknown and unreadable memories', async (db) => {
  const { needs, ids } = await chainOf(db, ['one'])
  const [id = ''] = ids

  expect(await readLineage(needs, ada, { id: 'nowhere', limit: 50 })).toEqual([])
  expect(await readLineage(needs, callerFor('bob'), { id, limit: 50 })).toEqual([])
})
