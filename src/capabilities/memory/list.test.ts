import { expect } from 'vitest'
import { DatabaseBusy } from '../../kernel/db/database-error.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { collectionRoutes } from './collection-routes.ts'
import { listMemories } from './list.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'

const ada = callerFor('ada')

onEachEngine('a page holds what the agent may read, newest first', async (db) => {
  const { needs } = memoryNeeds(db)
  const first = await remember(needs, ada, plain('first'))
  const second = await remember(needs, ada, plain('critical: second'))
  await remember(needs, callerFor('bob'), plain('of another agent'))

  const { memories, stats } = await listMemories(needs, ada, { limit: 1, offset: 0 })
  const rest = await listMemories(needs, ada, { limit: 10, offset: 1 })

  expect(memories).toEqual([second.memory])
  expect(rest.memories).toEqual([first.memory])
  expect(stats).toEqual({ total: 2, withEmbeddings: 0, critical: 1 })
})

onEachEngine('all namespaces are on a page that asks for all of them', async (db) => {
  const { needs } = memoryNeeds(db)
  for (const scope of [undefined, 'one', 'two'])
    await remember(needs, ada, { ...plain(`of ${scope}`), scope })
  const contents = async (of: object) => {
    const page = await listMemories(needs, ada, { limit: 10, offset: 0, ...of })
    expect(page.stats.total).toBe(page.memories.length)
    return page.memories.map(({ content }) => content)
  }

  expect(await contents({ allScopes: true })).toEqual(['of two', 'of one', 'of undefined'])
  expect(await contents({ allScopes: true, scope: 'one' })).toEqual(['of one'])
  expect(await contents({ allScopes: false })).toEqual(['of undefined'])
})

onEachEngine(
  'what cannot be read is an empty page that says so, and may be refused',
  async (db) => {
    const { needs } = memoryNeeds(db)
    const failWith = (error: Error) => {
      const agents = { ...needs.agents, readScopeOf: () => Promise.reject(error) }
      const list = collectionRoutes({ ...needs, agents }).find(({ name }) => name === 'memory.list')
      return list?.handle({ caller: ada, query: { limit: 10, offset: 0 } } as never)
    }

    expect(await failWith(new Error('the disk is gone'))).toEqual({
      memories: [],
      stats: { total: 0, withEmbeddings: 0, critical: 0 },
      error: 'Failed to load memories',
    })
    const busy = new DatabaseBusy('busy', 'SQLITE_BUSY')
    await expect(failWith(busy)).rejects.toBe(busy)
  },
)

onEachEngine('an empty store is an empty page', async (db) => {
  expect(await listMemories(memoryNeeds(db).needs, ada, { limit: 10, offset: 0 })).toEqual({
    memories: [],
    stats: { total: 0, withEmbeddings: 0, critical: 0 },
  })
})
