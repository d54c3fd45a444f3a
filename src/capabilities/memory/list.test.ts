import { expect } from 'vitest'
import { DatabaseBusy } from '../../kernel/db/database-error.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { collectionRoutes } from './collection-routes.ts'
import { forget } from './forget.ts'
import { listMemories } from './list.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'

const ada = callerFor('ada')

onEachEngine('a page lists readable memories, newest first', async (db) => {
  const { needs } = memoryNeeds(db)
  const first = await remember(needs, ada, plain('first'))
  const second = await remember(needs, ada, plain('critical: second'))
  await remember(needs, callerFor('bob'), plain('of another agent'))

  const { memories, stats } = await listMemories(needs, ada, { limit: 1, offset: 0 })
  const rest = await listMemories(needs, ada, { limit: 10, offset: 1 })

  expect(memories).toMatchObject([{ id: second.memory.id, content: 'second', pinned: 1 }])
  expect(rest.memories).toMatchObject([{ id: first.memory.id, content: 'first', pinned: 0 }])
  expect(stats).toEqual({ total: 2, withEmbeddings: 0, critical: 1 })
})

onEachEngine('allScopes lists every namespace', async (db) => {
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
  'a fault returns an empty page with an error; a busy database is a refusal',
  async (db) => {
    const { needs } = memoryNeeds(db)
    const failWith = (error: Error) => {
      const agents = { ...needs.agents, readScopeOf: () => Promise.reject(error) }
      const list = collectionRoutes({ ...needs, agents }).find(({ name }) => name === 'memory.list')
      return list?.handle({ caller: ada, query: { limit: 10, offset: 0 } } as never)
    }

    expect(await failWith(new Error('the disk is gone'))).toEqual({
      memories: [],
      total: 0,
      stats: { total: 0, withEmbeddings: 0, critical: 0 },
      error: 'Failed to load memories',
    })
    const busy = new DatabaseBusy('busy', 'SQLITE_BUSY')
    await expect(failWith(busy)).rejects.toBe(busy)
  },
)

onEachEngine('an empty database returns an empty page', async (db) => {
  expect(await listMemories(memoryNeeds(db).needs, ada, { limit: 10, offset: 0 })).toEqual({
    memories: [],
    total: 0,
    stats: { total: 0, withEmbeddings: 0, critical: 0 },
  })
})

onEachEngine('filters a page by project, tags, type and time', async (db) => {
  const { needs } = memoryNeeds(db)
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => `${day}T00:00:00.000Z`)
  for (const [index, createdAt] of days.entries()) {
    const project = index === 0 ? 'garden' : undefined
    const tags = index === 1 ? ['Tools', 'shed'] : ['tools']
    const type = index === 2 ? 'decision' : 'fact'
    await remember(needs, ada, { ...plain(`day ${index + 1}`), createdAt, project, tags, type })
  }
  const contents = async (filter: object) => {
    const page = await listMemories(needs, ada, { limit: 10, offset: 0, ...filter })
    expect(page.stats.total).toBe(3)
    return page.memories.map(({ content }) => content)
  }

  expect(await contents({ project: 'garden' })).toEqual(['day 1'])
  expect(await contents({ project: 'none' })).toEqual([])
  expect(await contents({ tags: ['tools', 'shed'] })).toEqual(['day 2'])
  expect(await contents({ tags: ['tool'] })).toEqual([])
  expect(await contents({ type: 'decision' })).toEqual(['day 3'])
  expect(await contents({ since: days[1] })).toEqual(['day 3', 'day 2'])
  expect(await contents({ until: days[1] })).toEqual(['day 2', 'day 1'])
  expect(await contents({ since: days[1], until: days[1], type: 'fact' })).toEqual(['day 2'])
  const page = { limit: 1, offset: 0, tags: ['tools'] }
  expect((await listMemories(needs, ada, page)).total).toBe(3)
  expect((await listMemories(needs, ada, { ...page, type: 'fact' })).total).toBe(2)
})

onEachEngine('an id prefix lists every readable memory with that prefix', async (db) => {
  const ids = ['0195f3a0', '0195f3a1', '0195f3b0', '0195f3a9'].map((start) => `${start}${restOfId}`)
  const left = [...ids]
  const { needs } = memoryNeeds(db)
  const newId = () => left.shift() ?? needs.host.newId()
  const numbered = { ...needs, host: { ...needs.host, newId } }
  const saved = async (content: string, request: object = {}, caller = ada) => {
    const { id } = (await remember(numbered, caller, { ...plain(content), ...request })).memory
    return id
  }
  const [first, second, third] = [
    await savedWith(left, ids[0], () => saved('first')),
    await savedWith(left, ids[1], () => saved('second', { scope: 'draft' })),
    await savedWith(left, ids[2], () => saved('third')),
  ]
  await savedWith(left, ids[3], () => saved('of another', {}, callerFor('bob')))
  const listed = async (idPrefix: string, request: object = {}) => {
    const page = { limit: 10, offset: 0, idPrefix, ...request }
    return (await listMemories(needs, ada, page)).memories.map(({ id }) => id)
  }

  expect(await listed('0195f3')).toEqual([first, second, third])
  expect(await listed('0195f3a')).toEqual([first, second])
  expect(await listed('0195f3b0-5a')).toEqual([third])
  expect(await listed('0195f3b0-5b')).toEqual([])
  expect(await listed('0195f3', { limit: 1, offset: 1 })).toEqual([second])
  await forget(needs, ada, { id: String(first), reason: 'r', force: false, ifVersion: undefined })
  expect(await listed('0195f3a')).toEqual([second])
  expect(await listed('0195f3a', { includeDeleted: true })).toEqual([first, second])
})

const restOfId = '-5a00-7000-8000-00000000000a'

/** Makes this the next id, because other rows take ids too. */
function savedWith<Result>(left: string[], id: string | undefined, save: () => Promise<Result>) {
  left.splice(0, left.length, ...(id ? [id] : []))
  return save()
}

onEachEngine('filters a page by speaker, source and pin', async (db) => {
  const { needs } = memoryNeeds(db)
  await remember(needs, ada, { ...plain('of bob'), who: 'bob' })
  await remember(needs, ada, { ...plain('imported'), sourceType: 'import' })
  await remember(needs, ada, plain('critical: pinned'))
  const contents = async (filter: object) => {
    const { memories, total } = await listMemories(needs, ada, { limit: 10, offset: 0, ...filter })
    expect(total).toBe(memories.length)
    return memories.map(({ content }) => content)
  }

  expect(await contents({ who: 'bob' })).toEqual(['of bob'])
  expect(await contents({ sourceType: 'import' })).toEqual(['imported'])
  expect(await contents({ pinned: true })).toEqual(['pinned'])
  expect(await contents({ pinned: false })).toEqual(['imported', 'of bob'])
})

onEachEngine('lists forgotten and superseded memories of the caller only', async (db) => {
  const { needs } = memoryNeeds(db)
  const first = await remember(needs, ada, plain('first'))
  await remember(needs, ada, { ...plain('second'), supersedes: first.memory.id })
  for (const caller of [ada, callerFor('bob')]) {
    const { id } = (await remember(needs, caller, plain(`forgotten by ${caller.name}`))).memory
    await forget(needs, caller, { id, reason: 'r', force: false, ifVersion: undefined })
  }
  const listIn = async (state: 'all' | 'forgotten' | 'live' | 'superseded', later = 0) => {
    const now = () => new Date(needs.host.now().getTime() + later)
    const page = { limit: 10, offset: 0, state }
    const at = { ...needs, host: { ...needs.host, now } }
    const { memories, total } = await listMemories(at, ada, page)
    expect(total).toBe(memories.length)
    return memories.map(({ content }) => content)
  }

  expect(await listIn('live')).toEqual(['second'])
  expect(await listIn('superseded')).toEqual(['first'])
  expect(await listIn('forgotten')).toEqual(['forgotten by ada'])
  expect(await listIn('all')).toEqual(['forgotten by ada', 'second', 'first'])
  expect(await listIn('forgotten', 31 * 86_400_000)).toEqual([])
  const reader = callerFor('ada', 'readonly')
  const page = { limit: 10, offset: 0, state: 'forgotten' } as const
  await expect(listMemories(needs, reader, page)).rejects.toMatchObject({
    code: 'permission_missing',
  })
})
