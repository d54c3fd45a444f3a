import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { ask, insert, onEachEngine, recallNeeds, rows, stubEngine } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')

onEachEngine('a day in the query returns entries of that day', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(
    ...[db, { id: 'a', content: 'deploy went well', createdAt: '2025-06-05T12:00:00.000Z' }],
    { id: 'b', content: 'deploy of another day' },
    { id: 'c', content: 'met Carol' },
  )
  const edge = {
    id: 'e',
    agentId: 'ada',
    subjectType: 'memory',
    subjectId: 'c',
    facet: 'occurred',
    startAt: '2025-06-05T09:00:00.000Z',
    confidence: 0.9,
    createdAt: '2025-06-06',
  }
  await rows(db).insertInto('temporalEdges').values(edge).execute()
  const session = { ...edge, id: 'f', subjectType: 'session', subjectId: 's1', facet: 'session' }
  await rows(db).insertInto('temporalEdges').values(session).execute()

  const timeline = await recall(needs, ada, ask('What did I do on 2025-06-05?'))
  const filtered = await recall(needs, ada, ask('deploy on June 5th, 2025'))

  expect(timeline.meta.temporal).toMatchObject({ mode: 'timeline', source: 'query' })
  expect(timeline.results.map(({ id, source, score }) => [id, source, score])).toEqual([
    ['temporal:memory:c:occurred', 'temporal_occurred', 0.9],
    ['temporal:session:s1:session', 'temporal_session', 0.9],
    ['temporal:memory:a:captured', 'temporal_captured', 0.7],
  ])
  const inApollo = { ...ada, scope: { project: 'apollo' } }
  const narrowed = [
    await recall(needs, inApollo, ask('What did I do on 2025-06-05?')),
    await recall(needs, ada, ask('What did I do on 2025-06-05?', { type: 'fact' })),
  ]
  for (const { results } of narrowed)
    expect(results.map(({ subject_type }) => subject_type)).not.toContain('session')

  expect(filtered.meta.temporal).toMatchObject({ mode: 'filter', contentQuery: 'deploy' })
  expect(filtered.results.map(({ id }) => id)).toEqual(['a'])
  const ofSession = await recall(needs, ada, ask('session s1 on 2025-06-05'))
  expect(ofSession.results.map(({ id }) => id)).toEqual(['temporal:session:s1:session'])
})

onEachEngine(
  'a day in the query falls back to a text search, a requested time does not',
  async (db) => {
    const { needs, announced } = await recallNeeds(db)
    await insert(db, { id: 'a', content: 'we deploy on 2024-03-01' })
    const then = { start: '2024-03-01T00:00:00Z' }

    const mentioned = await recall(needs, ada, ask('deploy on 2024-03-01'))
    const recalled = await recall(needs, ada, ask('deploy', { time: then }))

    expect(mentioned.results).toMatchObject([{ id: 'a' }])
    // It tells of no range, so neither does the answer.
    expect(mentioned.meta).not.toHaveProperty('temporal')
    expect(await recall(needs, ada, ask('platypus on 2024-03-02'))).toMatchObject({
      results: [],
      meta: { noHits: true, temporal: { source: 'query' } },
    })
    expect(
      announced.map((one) => (one as [string, { type?: string }])[1].type).filter(Boolean),
    ).toEqual(['keyword', 'temporal', 'temporal'])
    expect(recalled).toMatchObject({ results: [], meta: { temporal: { source: 'request' } } })
  },
)

onEachEngine('drops memories that share only digits with the day', async (db) => {
  const { needs } = await recallNeeds(db)
  const saved = {
    numbers: 'Meeting in room 11 with 22 people, 2025 in all',
    day: 'On 22 November 2025 it rained',
    word: 'Umbrellas are in room 11',
    hint: 'in the hall of 2025',
    number: 'number 22',
  }
  const ids = Object.keys(saved)
  await insert(db, ...Object.entries(saved).map(([id, content]) => ({ id, content })))
  const hints = { hint: 'where is the umbrella', number: 'which is number 22' }
  for (const [memoryId, hint] of Object.entries(hints))
    await rows(db).insertInto('memoryHints').values({ memoryId, agentId: 'ada', hint }).execute()
  const played = stubEngine(
    ids.map((id) => ({ id, source: id in hints ? ('hint' as const) : ('hybrid' as const) })),
  )
  const found = async (query: string, more: object = {}) =>
    (await recall({ ...needs, ...played }, ada, ask(query, more))).results.map(({ id }) => id)

  expect(await found('umbrella on 2025-11-22')).toEqual(['day', 'hint', 'word'])
  expect(await found('What happened on 2025-11-22?')).toEqual(['day'])
  expect(await found('platypus on 2025-11-23')).toEqual([])
  expect(await found('platypus on 2025-11-23', { keywordQuery: 'meeting' })).toEqual(['numbers'])
  expect(await found('umbrella on 2025-11-21, not 2025-11-22')).toEqual(['day', 'hint', 'word'])
})

onEachEngine('returns only entries of the day that contain a word of the query', async (db) => {
  const { needs } = await recallNeeds(db)
  const saved = {
    alike: 'We met the teeth doctor',
    said: 'Two dentists called',
    hinted: 'Dr. Okapi, at three',
    linked: 'The bill came',
  }
  const createdAt = '2024-05-05T12:00:00.000Z'
  const ids = Object.keys(saved)
  await insert(db, ...Object.entries(saved).map(([id, content]) => ({ id, content, createdAt })))
  const sources = { alike: 'vector', said: 'hybrid', hinted: 'hint' } as const
  const played = stubEngine(
    Object.entries(sources).map(([id, source]) => ({ id, source, score: 0.7 })),
  )
  const link = { id: 'linked', score: 0.9, source: 'structured' as const, reason: 'of a dentist' }
  const graph = sealedPoint({ search: async () => ({ hits: [link], entities: [], readings: [] }) })
  const time = { start: '2024-05-05T00:00:00Z' }
  const recalled = async (query: string, more: object = {}) =>
    (await recall({ ...needs, ...played, graph }, ada, ask(query, more))).results
  const found = async (query: string, more?: object) =>
    (await recalled(query, more)).map(({ id }) => id)

  expect(await found('dentist', { time })).toEqual(['hinted', 'said'])
  expect(await found('dentist 2024-05-05')).toEqual(['hinted', 'said'])
  expect(await found('dentist', { time, keywordQuery: 'doctor' })).toContain('alike')
  // Without a day to insert to, all that is like it answers.
  expect((await found('dentist')).toSorted()).toEqual(ids.toSorted())
  const alone = stubEngine([{ id: 'alike', source: 'vector', score: 0.7 }])
  expect(await recall({ ...needs, ...alone }, ada, ask('surgeon', { time }))).toMatchObject({
    results: [],
    method: 'keyword',
  })
  // A row of the timeline holds the words as a memory does.
  const nothing = stubEngine([])
  const { results } = await recall({ ...needs, ...nothing }, ada, ask('dentist', { time }))
  expect(results.map(({ id }) => id)).toEqual(['temporal:memory:said:captured'])
})

onEachEngine('orders distinct entries by rank, then latest first', async (db) => {
  const { needs } = await recallNeeds(db)
  const long = 'x'.repeat(901)
  await insert(
    ...[db, { id: 'before', content: 'x' }, { id: 'touching', content: long }],
    { id: 'after', content: 'x' },
    { id: 'saved', content: 'x', createdAt: '2025-06-05T05:00:00.000Z' },
    { id: 'sure', content: 'x' },
    { id: 'unsure', content: 'x' },
  )
  const edges: readonly [string, string, string, string | null, number][] = [
    ['before', 'valid', '2025-06-01', '2025-06-04T23:59:59.999Z', 1],
    ['touching', 'valid', '2025-06-01', '2025-06-05T00:00:00.000Z', 0.8],
    ['touching', 'valid', '2025-06-05T01:00:00.000Z', null, 0.4],
    ['after', 'occurred', '2025-06-06T00:00:00.000Z', null, 1],
    ['sure', 'occurred', '2025-06-05T23:59:59.999Z', null, 5],
    ['sure', 'observed', '2025-06-05T10:00:00.000Z', null, 0.8],
    ['unsure', 'observed', '2025-06-05T00:00:00.000Z', null, 0.01],
  ]
  for (const [at, [subjectId, facet, startAt, endAt, confidence]] of edges.entries()) {
    const edge = { id: `e${at}`, agentId: 'ada', subjectType: 'memory', subjectId, facet }
    const span = { startAt, endAt, confidence, createdAt: '2025-06-06' }
    await rows(db)
      .insertInto('temporalEdges')
      .values({ ...edge, ...span })
      .execute()
  }
  const time = { start: '2025-06-05T00:00:00Z', end: '2025-06-06T00:00:00Z', mode: 'timeline' }
  const runRecall = (more: object) => recall(needs, ada, ask('x', { time, ...more }))

  const { results, method } = await runRecall({})
  expect(results.map(({ id, score }) => [id, score])).toEqual([
    ['temporal:memory:sure:occurred', 1],
    ['temporal:memory:sure:observed', 0.8],
    ['temporal:memory:touching:valid', 0.8],
    ['temporal:memory:saved:captured', 0.7],
    ['temporal:memory:unsure:observed', 0.1],
  ])
  expect([method, results[2]]).toMatchObject([
    'keyword',
    {
      content: `${long.slice(13)} [truncated]`,
      source: 'temporal_valid',
      temporal_facet: 'valid',
      temporal_start_at: '2025-06-01',
      subject_type: 'memory',
      temporal_end_at: '2025-06-05T00:00:00.000Z',
      subject_id: 'touching',
    },
  ])
  expect(results[2]?.content).toHaveLength(900)
  expect((await runRecall({ limit: 2 })).results).toHaveLength(2)
  const valid = await runRecall({ time: { ...time, facets: ['valid'] } })
  expect(valid.results.map(({ subject_id }) => subject_id)).toEqual(['touching'])
  const { results: explained } = await runRecall({ explain: true })
  expect(explained[2]?.explain?.stages).toEqual([
    {
      name: 'timeline',
      score: 0.8,
      reason: 'valid from 2025-06-01 to 2025-06-05T00:00:00.000Z',
    },
  ])
  const session = { sessionKey: 's', includeRecalled: true }
  // A memory in two facets is returned once.
  expect((await runRecall(session)).meta.dedupe).toMatchObject({ repeatedReturned: 0 })
  expect((await runRecall(session)).meta.dedupe).toMatchObject({ repeatedReturned: 5 })
})
