import { expect } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { promptAnswered } from '../hooks/index.ts'
import { memoryForgotten } from '../memory/index.ts'
import { recallAnswered, recallBody } from '../recall/index.ts'
import { createSearchEvidence } from './session-evidence.ts'
import { listRecordedMemoryIds } from './store/searches.ts'
import { answered, onEachEngine, telemetryFor } from './telemetry.fixture.ts'

const ladder = { m1: 'the ladder leans on the barn', m2: 'ladders are red' }

onEachEngine('records a query with its results', async (db) => {
  const { events, list } = await telemetryFor(db)
  events.emit(recallAnswered, answered(ladder))

  expect(await list()).toMatchObject([
    {
      route: 'POST /api/memory/recall',
      agentId: 'ada',
      sessionKey: 's1',
      project: null,
      query: 'where is the ladder',
      keywordQuery: null,
      method: 'hybrid',
      durationMs: 7,
      filters: { limit: 10, tags: ['barn'], scope: null, expand: false, readPolicy: 'shared' },
      stages: [{ name: 'find', durationMs: 5 }],
      results: [
        { rank: 1, itemId: 'm1', memoryId: 'm1', score: 0.9, content: ladder.m1 },
        { rank: 2, itemId: 'm2', contentLength: 15, truncated: false, content: ladder.m2 },
      ],
    },
  ])
})

onEachEngine('records a prompt with its results', async (db) => {
  const { events, list } = await telemetryFor(db)
  events.emit(promptAnswered, {
    caller: callerFor('ada'),
    sessionKey: undefined,
    project: '/p',
    text: 'mend the gate',
    terms: ['mend', 'gate'],
    engine: 'entity-context',
    latencyMs: 3,
    shown: [{ id: 'a1', text: '- [fact] Gate: red', score: 0.9, source: 'memory:m1' }],
  })

  expect(await list()).toMatchObject([
    {
      route: 'POST /api/hooks/user-prompt-submit',
      project: '/p',
      sessionKey: null,
      query: 'mend the gate',
      keywordQuery: 'mend gate',
      method: 'entity-context',
      results: [{ rank: 1, itemId: 'a1', memoryId: 'm1', content: '- [fact] Gate: red' }],
    },
  ])
})

onEachEngine('redacts credentials and truncates long texts', async (db) => {
  const { events, list } = await telemetryFor(db)
  const key = `ghp_${'a1B2'.repeat(9)}`
  const query = `is ${key} <private>mine</private> ${'or not '.repeat(2000)}`
  const request = recallBody.parse({ query, keywordQuery: key })
  events.emit(recallAnswered, answered({ m1: 'x'.repeat(5000) }, { request }))

  const [search] = await list()
  expect(search?.query).toHaveLength(4000)
  expect(search?.query).not.toMatch(/ghp_|mine/)
  expect(search?.keywordQuery).not.toContain('ghp_')
  expect(search?.results).toMatchObject([{ contentLength: 5000, truncated: true }])
  expect(search?.results[0]?.content).toHaveLength(4000)
})

onEachEngine('records and lists no searches while the setting is off', async (db) => {
  const on = await telemetryFor(db)
  on.events.emit(recallAnswered, answered(ladder))
  const off = await telemetryFor(db, { memorySearchQaEnabled: false })
  off.events.emit(recallAnswered, answered(ladder))

  expect(await on.list()).toHaveLength(1)
  expect(await off.list()).toEqual([])
})

onEachEngine('erases the contents of a forgotten memory and keeps its result rows', async (db) => {
  const { events, list } = await telemetryFor(db)
  events.emit(recallAnswered, answered(ladder))
  const row = { visibility: 'global', project: null, scope: null } as const
  events.emit(memoryForgotten, { ...row, id: 'm1', agentId: 'ada', version: 2 })

  const contents = async () =>
    (await list()).map(({ results }) => results.map(({ content }) => content))
  expect(await contents()).toEqual([[null, ladder.m2]])
  expect(await list()).toMatchObject([{ results: [{ itemId: 'm1', score: 0.9 }, {}] }])
})

onEachEngine(
  'erases contents of memories deleted without an event or before the write',
  async (db) => {
    const { events, gone, runtime, flush, list } = await telemetryFor(db)
    events.emit(recallAnswered, answered(ladder))
    await flush()
    gone.add('m1')
    events.emit(recallAnswered, answered(ladder))
    const contents = async () =>
      (await list()).flatMap(({ results }) => results.map(({ content }) => content))

    expect(await contents()).toEqual([null, ladder.m2, ladder.m1, ladder.m2])
    await runtime.erasure.sweep()
    expect(await contents()).toEqual([null, ladder.m2, null, ladder.m2])
  },
)

onEachEngine(
  'removing an agent deletes its searches and erases its contents in others',
  async (db) => {
    const { events, gone, runtime, flush, list } = await telemetryFor(db)
    const bob = callerFor('bob')
    events.emit(recallAnswered, answered(ladder))
    events.emit(recallAnswered, answered(ladder, { caller: bob }))
    await flush()
    gone.add('m2')

    await transaction(db, (db) => runtime.erasure.agentRemoval.purge(db, 'ada'))

    expect(await list()).toEqual([])
    expect(await list(bob)).toMatchObject([
      { results: [{ content: ladder.m1 }, { content: null }] },
    ])
  },
)

onEachEngine('deletes rows older than the retention', async (db) => {
  const { events, host, runtime, flush, list } = await telemetryFor(db, { retentionDays: 1 })
  events.emit(recallAnswered, answered(ladder))
  await flush()
  host.advance(86_400_001)
  events.emit(recallAnswered, answered({ m3: 'new' }))
  await flush()

  await runtime.erasure.sweep()

  expect(await list()).toMatchObject([{ results: [{ itemId: 'm3' }] }])
  expect(await listRecordedMemoryIds(db, { after: '', limit: 9 })).toEqual(['m3'])
})

onEachEngine('lists searches within the scope of the credential and the filters', async (db) => {
  const { events, host, flush, list } = await telemetryFor(db)
  const ask = async (agent: string, project?: string, more = {}) => {
    const request = recallBody.parse({ query: 'ladder', ...(project && { project }) })
    const caller = { ...callerFor(agent), sessionKey: null }
    events.emit(recallAnswered, answered(more, { caller, request, sessionKey: project }))
    await flush()
    host.advance(1000)
  }
  await ask('ada', 'apollo')
  await ask('ada', 'gemini', ladder)
  await ask('bob', 'apollo')
  const admin = callerFor('ada')
  const listNames = async (more: object, caller = admin) =>
    (await list(caller, more)).map(({ agentId, project }) => `${agentId} ${project}`)

  expect(await listNames({ isNamed: false })).toEqual(['bob apollo', 'ada gemini', 'ada apollo'])
  expect(await listNames({})).toEqual(['ada gemini', 'ada apollo'])
  const bound = { ...admin, scope: { agent: 'ada' } }
  expect(await listNames({ isNamed: false }, bound)).toEqual(['ada gemini', 'ada apollo'])
  const confined = { ...admin, scope: { project: 'apollo' } }
  expect(await listNames({ isNamed: false }, confined)).toEqual(['bob apollo', 'ada apollo'])
  expect(await listNames({ noHits: true })).toEqual(['ada apollo'])
  expect(await listNames({ noHits: false })).toEqual(['ada gemini'])
  expect(await listNames({ sessionKey: 'gemini' })).toEqual(['ada gemini'])
  expect(await listNames({ route: 'elsewhere' })).toEqual([])
  const [latest] = await list(admin)
  expect(await listNames({ since: latest?.createdAt })).toEqual(['ada gemini'])
  expect(await listNames({ until: latest?.createdAt, isNamed: false })).toHaveLength(2)
  expect(await listNames({ isNamed: false, limit: 1, offset: 1 })).toEqual(['ada gemini'])
})

onEachEngine('lists several pages completely and in order', async (db) => {
  const { events, list } = await telemetryFor(db)
  for (let count = 0; count < 120; count++) events.emit(recallAnswered, answered({ m1: 'x' }))

  const ids = (await list(undefined, { limit: 110, offset: 5 })).map(({ id }) => id)
  expect(new Set(ids).size).toBe(110)
  expect(ids).toEqual(ids.toSorted().toReversed())
})

onEachEngine('the timeline of a session contains its searches', async (db) => {
  const { events, runtime, flush } = await telemetryFor(db)
  const { countEvents, listEvents } = createSearchEvidence(runtime)
  events.emit(recallAnswered, answered(ladder))
  await flush()
  const [requested, result] = await listEvents(db, { agentId: 'ada', sessionKey: 's1' }, 500)

  expect(requested).toMatchObject({ kind: 'recall.requested', detail: 'POST /api/memory/recall' })
  expect(result).toMatchObject({
    kind: 'recall.result',
    refs: [{ kind: 'memory', id: 'm1', label: 'm1', score: 0.9 }, { id: 'm2' }],
    payload: { resultCount: 2, durationMs: 7, topScore: 0.9, route: 'POST /api/memory/recall' },
  })
  expect(JSON.stringify([requested, result])).not.toContain('leans')
  const count = (more: object) => countEvents(db, { agentId: 'ada', ...more }, { limit: 10 })
  expect(await count({})).toMatchObject([{ sessionKey: 's1', count: 2 }])
  expect(await count({ project: 'apollo' })).toEqual([])
  expect(await count({ project: 'apollo', includeUnscoped: true })).toHaveLength(1)
  expect(await count({ agentId: 'bob' })).toEqual([])
})
