import fc from 'fast-check'
import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { ask, insert, onEachEngine, recallNeeds, rows } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')

onEachEngine('returns matching memories, truncated, and counts the access', async (db) => {
  const { needs, announced } = await recallNeeds(db)
  const long = `tabs ${'x'.repeat(600)}`
  await insert(db, { id: 'a', content: long, tags: 'vim,ui' }, { id: 'b', content: 'spaces' })

  const reply = await recall(needs, ada, ask('What about tabs?', { expand: true }))
  await needs.counter.flush()

  expect(reply).toMatchObject({
    query: 'What about tabs?',
    method: 'keyword',
    results: [{ id: 'a', content_length: 605, truncated: true, source: 'keyword', tags: 'vim,ui' }],
    meta: { totalReturned: 1, hasSupplementary: false, noHits: false, partial: true },
    sources: { a: { content: long } },
  })
  expect(reply.results[0]?.content).toBe(`${long.slice(0, 500)} [truncated]`)
  expect(announced).toContainEqual(['recall.performed', expect.objectContaining({ results: 1 })])
  expect(announced).toContainEqual([
    'recall.answered',
    expect.objectContaining({
      method: 'keyword',
      shown: [expect.objectContaining({ row: reply.results[0] })],
    }),
  ])
  expect((await needs.memory.search.searchWords(['tabs'], all))[0]?.accessCount).toBe(1)
})

onEachEngine('a row contains the fields that its memory has', async (db) => {
  const { needs } = await recallNeeds(db)
  const at = '2025-06-01T00:00:00.000Z'
  const from = { sourceId: 'log', sourcePath: '/notes/log.md', sessionId: 's', project: 'apollo' }
  await insert(
    ...[db, { id: 'a', content: 'tabs', tags: 'vim,ui', pinned: 1, who: 'Zoë', ...from }],
    { id: 'b', content: 'spaces', scope: 'world' },
  )
  const of = async (query: string, more: object = {}) =>
    (await recall(needs, ada, ask(query, more))).results[0]

  const shared = { truncated: false, source: 'keyword', type: 'fact', importance: 0.5 }
  const scores = { score: expect.any(Number), confidence: expect.any(Number) }
  const common = { ...shared, created_at: at, visibility: 'global', ...scores }
  expect(await of('tabs')).toEqual({
    id: 'a',
    content: 'tabs',
    content_length: 4,
    ...common,
    scope: null,
    who: 'Zoë',
    source_id: 'log',
    source_path: '/notes/log.md',
    session_id: 's',
    project: 'apollo',
    tags: 'vim,ui',
    pinned: true,
  })
  const { sources } = await recall(needs, ada, ask('tabs', { expand: true }))
  expect(sources).toEqual({
    log: { content: 'tabs', sourceType: 'manual', sourcePath: '/notes/log.md' },
  })
  expect(await of('spaces', { scope: 'world' })).toEqual({
    id: 'b',
    content: 'spaces',
    content_length: 6,
    ...common,
    scope: 'world',
    who: 'ada',
    tags: null,
    pinned: false,
    project: null,
  })
})

onEachEngine('expand joins the memories of one source in order', async (db) => {
  const { needs } = await recallNeeds(db)
  const part = (id: string, day: number) => ({
    id,
    content: `tabs of ${id}`,
    sourceId: 'log',
    sourcePart: id,
    sourcePath: `/${id}.md`,
    createdAt: `2025-06-0${day}T00:00:00.000Z`,
  })
  await insert(db, part('second', 2), part('third', 3), part('first', 1), {
    id: 'alone',
    content: 'tabs of nowhere',
  })

  const { sources } = await recall(needs, ada, ask('tabs', { expand: true }))
  const time = { start: '2025-06-02T00:00:00Z', mode: 'timeline' }
  const timeline = await recall(needs, ada, ask('tabs', { expand: true, time }))

  expect(sources).toEqual({
    alone: { content: 'tabs of nowhere', sourceType: 'manual', sourcePath: null },
    log: {
      content: 'tabs of first\n\ntabs of second\n\ntabs of third',
      sourceType: 'manual',
      sourcePath: '/first.md',
    },
  })
  expect(timeline.sources?.['log']?.content).toBe('tabs of second')
})

onEachEngine('returns at most fifty results', async (db) => {
  const { needs } = await recallNeeds(db)
  const numbers = Array.from({ length: 52 }, (_, number) => number)
  await insert(db, ...numbers.map((number) => ({ id: `m${number}`, content: `tabs ${number}` })))

  const runRecall = async (more: object) =>
    (await recall(needs, ada, ask('tabs', more))).meta.totalReturned
  expect([await runRecall({}), await runRecall({ limit: 100 })]).toEqual([10, 50])
  const session = { limit: 100, sessionKey: 's' }
  expect([await runRecall(session), await runRecall(session), await runRecall(session)]).toEqual([
    50, 2, 0,
  ])
})

const all = {
  readScope: { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null },
  filters: { scope: null },
  limit: 10,
} as const

onEachEngine('truncates contents to the configured length', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, {
    id: 'a',
    content: `tabs ${'x'.repeat(600)}`,
    createdAt: '2025-06-05T12:00:00.000Z',
  })
  const cutTo = async (characters: number, more: object = {}) => {
    const memory = { ...needs.memory, shownCharacters: () => characters }
    return (await recall({ ...needs, memory }, ada, ask('tabs', more))).results
  }

  expect(await cutTo(8)).toMatchObject([{ content: 'tabs xxx [truncated]', content_length: 605 }])
  expect(await cutTo(605)).toMatchObject([{ truncated: false, content_length: 605 }])
  // What happened at a time is always shown so far.
  const time = { start: '2025-06-05T00:00:00Z', mode: 'timeline' }
  expect(await cutTo(8, { time })).toMatchObject([{ truncated: false }])
})

onEachEngine('an empty result is valid', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' })

  for (const query of ['quantum physics', 'who are you', '?!', `tabs ${words(60)}`])
    expect((await recall(needs, ada, ask(query))).meta).toMatchObject({
      noHits: true,
      totalReturned: 0,
    })
})

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
}

onEachEngine(
  'a memory found by its hint alone scores at most the maximum hint score',
  async (db) => {
    const { needs } = await recallNeeds(db)
    await insert(db, { id: 'a', content: 'the office is in Oslo' })
    const hint = { memoryId: 'a', agentId: 'ada', hint: 'where does she commute' }
    await rows(db).insertInto('memoryHints').values(hint).execute()

    const { results } = await recall(needs, ada, ask('commute'))

    expect(results).toMatchObject([{ id: 'a', source: 'hint', score: 0.75 }])
  },
)

onEachEngine('searches scripts without spaces by character pairs', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: '我们今天讨论天气预报' }, { id: 'b', content: '明天再说' })

  const { results } = await recall(needs, ada, ask('天气怎么样'))

  expect(results.map(({ id }) => id)).toEqual(['a'])
})

onEachEngine('excludes superseded memories, scoped ones and those of other agents', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(
    db,
    { id: 'old', content: 'tabs old', supersededBy: 'new' },
    { id: 'new', content: 'tabs new' },
    { id: 'scoped', content: 'tabs scoped', scope: 'world' },
    { id: 'private', content: 'tabs private', agentId: 'bob', visibility: 'private' },
    { id: 'shared', content: 'tabs shared', agentId: 'bob' },
  )
  const ids = async (more: object, caller = ada) =>
    (await recall(needs, caller, ask('tabs', more))).results.map(({ id }) => id).toSorted()

  expect(await ids({})).toEqual(['new', 'shared'])
  expect(await ids({ scope: 'world' })).toEqual(['scoped'])
  expect(await ids({}, callerFor('unknown'))).toEqual([])
  expect(await ids({ time: { start: '2025-06-01', mode: 'timeline' } })).toEqual([
    'temporal:memory:new:captured',
    'temporal:memory:shared:captured',
  ])
})

onEachEngine('replaces results that the session has received by the next ones', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(...[db], ...[1, 2, 3, 4, 5].map((n) => ({ id: `m${n}`, content: `tabs ${n}` })))
  const runRecall = async (more: object = {}) =>
    recall(needs, ada, ask('tabs', { limit: 2, sessionKey: 's', ...more }))

  const first = await runRecall()
  const second = await runRecall()
  const again = await runRecall({ includeRecalled: true })
  const [third, fourth] = await Promise.all([runRecall(), runRecall()])

  expect(first.meta.dedupe).toMatchObject({ enabled: true, contextEpoch: 0, suppressed: 0 })
  expect(second.meta.dedupe).toMatchObject({ suppressed: 2 })
  expect(again.results).toMatchObject([{ already_recalled: true }, { already_recalled: true }])
  expect(again.meta.dedupe).toMatchObject({ suppressed: 0, repeatedReturned: 2 })
  const ids = [first, second, third, fourth].flatMap(({ results }) => results.map(({ id }) => id))
  expect(ids.toSorted()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
})

onEachEngine('aggregate returns the evidence without a synthesis', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' })
  await insert(db, { id: 'b', content: 'tabs too', sourceType: 'aggregate-recall' })
  const aggregate = async (query: string) =>
    (await recall(needs, ada, ask(query, { aggregate: true }))).aggregate

  expect(await aggregate('tabs')).toMatchObject({
    budget: 'medium',
    queries: ['tabs'],
    sourceMemoryIds: ['a'],
    saved: false,
    stoppedReason: 'router_unavailable',
    partial: true,
  })
  expect(await aggregate('nothing')).toMatchObject({ stoppedReason: 'no_evidence' })
  await expect(
    recall(needs, callerFor('ada', 'readonly'), ask('tabs', { saveAggregate: true })),
  ).rejects.toMatchObject({ kind: 'forbidden' })
  const confined = { ...ada, scope: { project: 'p1' } }
  const saved = (project?: string) =>
    recall(needs, confined, ask('tabs', { saveAggregate: true, project }))
  await expect(saved('p2')).rejects.toMatchObject({ code: 'out_of_scope' })
  await expect(saved()).resolves.toMatchObject({ results: [] })
})

onEachEngine('answers arbitrary queries', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs 今天' })
  const queries = fc.sample(
    fc.record({
      query: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
      keywordQuery: fc.option(fc.constantFrom('a AND', '"x', 'NEAR(', '*', 'col:x', '(((((', '^')),
    }),
    { numRuns: 60, seed: 11 },
  )

  for (const { query, keywordQuery } of queries)
    expect(await recall(needs, ada, ask(`q${query}`, { keywordQuery }))).toMatchObject({
      meta: expect.anything(),
    })
})
