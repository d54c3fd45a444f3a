import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { forget } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { vectorSources } from './read.ts'
import { remember } from './remember.ts'
import { updateMemory } from './update.ts'

const ada = callerFor('ada')
const bob = callerFor('bob')

onEachEngine('lists changes by revision for the embeddings', async (db) => {
  const { needs } = memoryNeeds(db)
  const sources = vectorSources(needs)
  const { memory: one } = await remember(needs, ada, plain('the first harbour'))
  const { memory: two } = await remember(needs, bob, plain('the second harbour'))
  const [first] = await sources.listChanged(db, { after: 0, limit: 1 })
  expect(first).toMatchObject({ id: one.id, contentHash: one.contentHash, live: true })

  await updateMemory(needs, ada, { id: one.id, reason: 'a test', pinned: true })
  await forget(needs, bob, { id: two.id, reason: 'a test', force: true, ifVersion: undefined })

  const changed = await sources.listChanged(db, { after: first?.revision ?? 0, limit: 10 })
  expect(changed).toMatchObject([
    { id: one.id, live: true },
    { id: two.id, live: false },
  ])
  expect(await sources.listTexts(db, [one.id, two.id])).toEqual([
    { id: one.id, agentId: 'ada', content: 'the first harbour', contentHash: one.contentHash },
  ])
  expect(await sources.listTexts(db, [])).toEqual([])
  expect(await sources.lockHashes(db, [two.id, 'missing'])).toEqual(
    new Map([[two.id, two.contentHash]]),
  )
})
