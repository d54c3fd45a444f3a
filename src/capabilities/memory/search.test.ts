import fc from 'fast-check'
import { expect } from 'vitest'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { forget } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'
import { createMemorySearch } from './search.ts'
import type { MemoryFilters } from './search-request.ts'
import { tables } from './store/rows.ts'

const ada = callerFor('ada')
const bob: ReadScope = { agentId: 'bob', policy: 'shared', groupAgents: [], project: null }
const own: ReadScope = { ...bob, agentId: 'ada', policy: 'isolated' }
const as = (readScope: ReadScope, filters: Partial<MemoryFilters> = {}) => ({
  readScope,
  limit: 10,
  filters: { scope: null, ...filters },
})
const contents = (found: readonly { readonly memory: { readonly content: string } }[]) =>
  found.map(({ memory }) => memory.content)

async function keep(db: Db, ...bodies: object[]): Promise<string[]> {
  const { needs } = memoryNeeds(db)
  const ids: string[] = []
  for (const body of bodies)
    ids.push((await remember(needs, ada, { ...plain(''), ...body })).memory.id)
  return ids
}

onEachEngine('short queries match all words, else any word', async (db) => {
  await keep(db, { content: 'use tabs in vim' }, { content: 'tabs elsewhere' })
  const { searchWords } = createMemorySearch(db)

  expect(contents(await searchWords(['tabs', 'vim'], as(own)))).toEqual(['use tabs in vim'])
  expect(contents(await searchWords(['vim', 'emacs'], as(own)))).toEqual(['use tabs in vim'])
  expect(await searchWords(['emacs'], as(own))).toEqual([])
  expect(await searchWords([], as(own))).toEqual([])
})

onEachEngine('every filter applies to every search', async (db) => {
  const { searchWords, searchPieces, rankByDecayedImportance: listByWorth } = createMemorySearch(db)
  await keep(
    db,
    { content: 'tabs one', tags: ['Vim', 'a_b'], pinned: true, importance: 0.9 },
    { content: 'tabs two', tags: ['vim2', 'acb'], importance: 0.2 },
  )
  const narrowed: readonly [Partial<MemoryFilters>, string[]][] = [
    [{ tags: ['vim'] }, ['tabs one']],
    [{ tags: ['vim', 'a_b'] }, ['tabs one']],
    [{ tags: ['%'] }, []],
    [{ pinned: false }, ['tabs two']],
    [{ importanceMin: 0.5 }, ['tabs one']],
    [{ since: '2026-01-03' }, []],
    [{ until: '2026-01-01' }, []],
    [{ type: 'nothing' }, []],
    [{ who: 'missing' }, []],
    [{ project: 'apollo' }, []],
    [{ scope: 'world' }, []],
    [{ during: { start: '2026-01-02', end: '2026-01-03', facets: ['occurred'] } }, []],
    [
      { during: { start: '2026-01-02', end: '2026-01-03', facets: ['captured'] }, pinned: true },
      ['tabs one'],
    ],
  ]
  for (const [filters, expected] of narrowed) {
    expect(contents(await searchWords(['tabs'], as(own, filters)))).toEqual(expected)
    expect(contents(await searchPieces(['tab'], as(own, filters)))).toEqual(expected)
    expect(contents(await listByWorth(as(own, filters), new Date('2026-01-02')))).toEqual(expected)
  }
})

onEachEngine('no search returns private memories of another agent', async (db) => {
  const [secret = ''] = await keep(
    db,
    { content: 'secret tabs', visibility: 'private' },
    {
      content: 'open tabs',
    },
  )
  const search = createMemorySearch(db)
  const range = { start: '2026-01-02', end: '2026-01-03', facets: ['occurred', 'captured'] }
  const rows = tables(db)
  for (const agentId of ['ada', 'bob'])
    await rows.insertInto('memoryHints').values({ memoryId: secret, agentId, hint: 'h' }).execute()
  const edge = { facet: 'occurred', startAt: '2026-01-02', endAt: null, confidence: 1 }
  for (const agentId of ['ada', 'bob'])
    await rows
      .insertInto('temporalEdges')
      .values({
        ...edge,
        id: agentId,
        agentId,
        subjectType: 'memory',
        subjectId: secret,
        createdAt: '',
      })
      .execute()

  const ways = (scope: ReadScope) =>
    Promise.all([
      search.searchWords(['tabs'], as(scope)),
      search.searchExpression('tabs', as(scope)),
      search.searchPieces(['tabs'], as(scope)),
      search.searchHintWords(['h'], as(scope)),
      search.rankByDecayedImportance(as(scope), new Date('2026-01-02')),
      search.listContaining('tabs', as(scope)),
      search.listCaptured(range, as(scope)),
      search.listMemoryFacts(range, as(scope)),
    ])

  const seen = (found: Awaited<ReturnType<typeof ways>>) =>
    found.map((way) => way?.some(({ memory }) => memory?.id === secret))
  expect(seen(await ways(own))).toEqual(Array(8).fill(true))
  expect(seen(await ways(bob))).toEqual(Array(8).fill(false))
  expect(await search.listSpeakers(as({ ...bob, policy: 'isolated' }))).toEqual([])
})

onEachEngine('a query with a NUL matches nothing and is not truncated', async (db) => {
  await keep(db, { content: 'use tabs in vim', tags: ['vim'] })
  const search = createMemorySearch(db)

  expect(await search.searchExpression('tabs\0elsewhere', as(own))).toBeUndefined()
  expect(await search.listContaining('tabs\0elsewhere', as(own))).toEqual([])
  expect(await search.searchWords(['tabs'], as(own, { tags: ['vi\0'] }))).toEqual([])
})

onEachEngine('skips deleted memories and counts recalls', async (db) => {
  const { needs } = memoryNeeds(db)
  const [id = '', gone = ''] = await keep(db, { content: 'tabs' }, { content: 'more tabs' })
  const { searchWords, countAccess } = createMemorySearch(db)
  await forget(needs, ada, { id: gone, reason: 'a test', ifVersion: undefined, force: false })

  await countAccess([id, 'purged'], { times: 2, at: '2026-01-02' })
  await countAccess([id], { times: 1, at: '2026-01-03' })

  const found = await searchWords(['tabs'], as(own))
  expect(found).toMatchObject([{ memory: { id }, accessCount: 3, lastAccessed: '2026-01-03' }])
})

onEachEngine('any expression returns hits or is reported as invalid', async (db) => {
  await keep(db, { content: 'tabs 今天 foo-bar' })
  const search = createMemorySearch(db)

  for (const text of fc.sample(fc.string({ unit: 'grapheme' }), { numRuns: 60, seed: 7 })) {
    const expression = text.replaceAll('\0', '')
    await expect(search.searchWords([expression], as(own))).resolves.toBeDefined()
    const found = await search.searchExpression(`${expression}"(`, as(own))
    expect(found ?? []).toBeInstanceOf(Array)
  }
  expect(
    contents((await search.searchExpression('fo* OR nothing', as(own))) ?? []).length,
  ).toBeLessThan(2)
})
