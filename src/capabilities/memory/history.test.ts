import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { forget, recover } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { readHistory } from './read.ts'

import { remember } from './remember.ts'
import { updateMemory } from './update.ts'

const ada = callerFor('ada')

onEachEngine('the history contains the original content after updates', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, ada, plain('tabs'))
  const request = { id: memory.id, reason: 'a test', force: false }
  const readEvents = async () => {
    const history = await readHistory(needs, ada, { id: memory.id, limit: 10 })
    return history.map(({ event, oldContent, newContent }) => [event, oldContent, newContent])
  }
  await updateMemory(needs, ada, { ...request, pinned: true })
  expect(await readEvents()).toEqual([
    ['created', null, 'tabs'],
    ['updated', null, null],
  ])

  await allowChange(db)
  for (const content of ['spaces', 'both']) await updateMemory(needs, ada, { ...request, content })
  await forget(needs, ada, { ...request, force: true })
  await recover(needs, ada, request)

  expect(await readEvents()).toEqual([
    ['created', null, 'tabs'],
    ['updated', null, null],
    ['updated', 'tabs', 'spaces'],
    ['updated', 'spaces', 'both'],
    ['deleted', 'both', null],
    ['recovered', null, null],
  ])
})

/** What was not remembered but concluded may be rewritten. */
async function allowChange(db: Db): Promise<void> {
  const memories = db.withTables<{ memories: { memoryKind: string } }>()
  await memories.updateTable('memories').set({ memoryKind: 'semantic' }).execute()
}
