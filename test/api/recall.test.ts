import { describe, expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'
import type { Ask } from '../support/start-service.ts'

const service = await startSharedService('rosa')

const save = async (content: string, more: object = {}, ask: Ask = {}) =>
  (await service.ask('POST /api/memory/remember', { body: { content, ...more }, ...ask })).body[
    'id'
  ]
const recall = (body: unknown, ask: Ask = {}) =>
  service.ask('POST /api/memory/recall', { body, ...ask })
const ids = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
  (body['results'] as { readonly id: string }[]).map(({ id }) => id)

interface Stage {
  readonly name: string
  readonly score: number
}

describe('recall', () => {
  test('works: a new memory is found by its words immediately', async () => {
    const id = await save('The orchard gate needs a new hinge')

    const { status, body } = await recall({ query: 'What does the orchard gate need?' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ meta: { noHits: false, totalReturned: 1 } })
    expect(body['results']).toMatchObject([{ id, truncated: false }])
    expect(ids(await service.ask('GET /api/memory/search?q=orchard&limit=5'))).toEqual([id])
  })

  test('works: headers report a degraded result', async () => {
    for (const reply of [
      await recall({ query: 'orchard' }),
      await service.ask('GET /api/memory/search?q=orchard'),
    ]) {
      const { partial, degradation } = reply.body['meta'] as Record<string, { cause: string }>
      const { headers } = reply
      expect(headers.get('x-svc-operation-degraded')).toBe(partial ? '1' : null)
      expect(headers.get('x-svc-operation-degradation-cause')).toBe(degradation?.cause ?? null)
    }
  })

  test('works: an empty result is valid', async () => {
    expect(await recall({ query: 'zyzzyva' })).toMatchObject({
      status: 200,
      body: { results: [], meta: { noHits: true } },
    })
  })

  test('works: deduplicates per session unless include_recalled is set', async () => {
    const id = await save('The lighthouse keeper is Maud')
    const query = { query: 'lighthouse', sessionKey: 'agent:ada:one' }

    expect(ids(await recall(query))).toEqual([id])
    expect((await recall(query)).body).toMatchObject({
      results: [],
      meta: { dedupe: { suppressed: 1 } },
    })
    expect((await recall({ ...query, include_recalled: 1 })).body['results']).toMatchObject([
      { id, already_recalled: true },
    ])
  })

  test('works: reports the total duration and that of each stage', async () => {
    const { body } = await recall({ query: 'orchard' })

    const duration = expect.toSatisfy((ms: unknown) => typeof ms === 'number' && ms >= 0)
    const { timings } = body['meta'] as { readonly timings: { readonly stages: unknown[] } }
    expect(timings).toMatchObject({ totalMs: duration })
    expect(timings.stages.length).toBeGreaterThan(0)
    for (const stage of timings.stages)
      expect(stage).toEqual({ name: expect.any(String), durationMs: duration })
  })

  test('works: all routes share the ledger of a session', async () => {
    const saved = [await save('The dovecote is round'), await save('The dovecote is white')]
    const sessionKey = 'shared'
    const headers = { 'x-svc-session-key': sessionKey }
    const hook = (more: object) =>
      service.ask('POST /api/hooks/recall', {
        body: { harness: 'mine', query: 'dovecote', sessionKey, ...more },
      })
    const byQuery = `GET /api/memory/search?q=dovecote&limit=1&sessionKey=${sessionKey}`

    const first = await recall({ query: 'dovecote', limit: 1 }, { headers })
    const second = await service.ask(byQuery)
    expect(first.body).toMatchObject({ meta: { dedupe: { enabled: true, suppressed: 0 } } })
    expect(second.body).toMatchObject({ meta: { dedupe: { suppressed: 1 } } })
    expect([...ids(first), ...ids(second)].toSorted()).toEqual(saved.toSorted())
    const third = await hook({})
    expect(third).toMatchObject({ status: 200, body: { results: [] } })

    const other = await save('The dovecote has a door')
    expect(ids(await hook({}))).toEqual([other])
    expect(ids(await recall({ query: 'dovecote' }, { headers }))).toEqual([])
    expect((await recall({ query: 'dovecote' })).body['meta']).not.toHaveProperty('dedupe')
  })

  test('works: explain lists the score and reason of each stage', async () => {
    await save('The sundial stands by the pond')

    const { body } = await recall({ query: 'sundial', explain: true })
    const [row] = body['results'] as { score: number; explain: { stages: Stage[] } }[]
    const stages = row?.explain.stages ?? []

    for (const stage of stages)
      expect(stage).toEqual({
        name: expect.any(String),
        score: expect.any(Number),
        reason: expect.stringMatching(/./),
      })
    expect(stages.map(({ name }) => name)).toEqual(expect.arrayContaining(['fused', 'recency']))
    expect(row?.score).toBeCloseTo(Math.min(1, stages.at(-1)?.score ?? 0))
    const { results } = (await recall({ query: 'sundial' })).body as { results: object[] }
    for (const unexplained of results) expect(unexplained).not.toHaveProperty('explain')
  })

  test('works: a time range returns its entries', async () => {
    const id = await save('The barn was painted')
    const time = { start: '2020-01-01T00:00:00Z', end: '2200-01-01T00:00:00Z' }

    const { body } = await recall({ query: 'what did I do', time })

    expect(body).toMatchObject({ meta: { temporal: { mode: 'timeline', source: 'request' } } })
    expect(ids({ body })).toContain(`temporal:memory:${id}:captured`)
  })

  test('works: finds memories by a hint and by the day of an event', async () => {
    const happened = { occurredAt: '2024-02-03T12:00:00Z', createdAt: '2024-03-01T12:00:00Z' }
    const structured = { hints: ['who repaired the weathervane'] }
    const id = await save('Jonas fixed it', { ...happened, structured })
    const time = { start: '2024-02-03T00:00:00Z' }

    expect((await recall({ query: 'weathervane' })).body['results']).toMatchObject([
      { id, source: 'hint', score: expect.toSatisfy((score: number) => score <= 0.75) },
    ])
    expect(ids(await recall({ query: 'what did I do', time }))).toEqual([
      `temporal:memory:${id}:occurred`,
    ])
    expect(ids(await recall({ query: 'what about Jonas', time }))).toEqual([id])
  })

  test('works: a time range returns session summaries to their agent only', async () => {
    const [agent, sessionKey] = ['skipper', 'voyage']
    const summary = 'The skerry was chosen as the place for the night.'
    const compacted = { harness: 'mine', sessionKey, summary, runtimePath: 'plugin' }
    await service.ask('POST /api/hooks/compaction-complete', { agent, body: compacted })
    const time = { start: '2020-01-01T00:00:00Z', end: '2200-01-01T00:00:00Z', facets: ['session'] }
    const recallAs = async (by: string) =>
      (await recall({ query: 'what did we do', time }, { agent: by })).body['results']

    expect(await recallAs(agent)).toMatchObject([
      { source: 'temporal_session', content: summary, score: 1, session_id: sessionKey },
    ])
    expect(await recallAs('stranger')).toEqual([])
  })

  test('works: a keyword query supports operators', async () => {
    const [anchor, both] = [await save('The anchor is rusty'), await save('Rusty anchor chain')]
    const matched = async (keywordQuery: string) => {
      const { body } = await recall({ query: 'xylophone', keywordQuery, explain: true })
      const rows = body['results'] as { id: string; explain: { stages: { name: string }[] } }[]
      const isMatched = (row: (typeof rows)[0]) =>
        row.explain.stages.some(({ name }) => name === 'keywords' || name === 'words')
      return rows.filter(isMatched).map(({ id }) => id)
    }

    expect(await matched('"rusty anchor"')).toEqual([both])
    expect((await matched('chain OR rusty')).toSorted()).toEqual([anchor, both].toSorted())
    expect(await matched('chain rusty')).toEqual([both])
  })

  test('works: negative feedback ranks below positive feedback', async () => {
    const said = await Promise.all(['north', 'south'].map((side) => save(`The ${side} oar is new`)))
    const [wrong = '', useful = ''] = said.map(String)
    const feedback = { [wrong]: 'wrong', [useful]: 'useful' }
    await service.ask('POST /api/memory/feedback', { body: { sessionKey: 's', feedback } })

    const found = await recall({ query: 'oar new' })
    expect(ids(found).filter((id) => id in feedback)).toEqual([useful, wrong])
  })

  test.each([
    [{}, 'query is required'],
    [{ query: 'x', asOf: 'then' }, 'asOf must be a valid ISO timestamp'],
    [{ query: ' ' }, 'query is required'],
    [{ query: 'x', time: 7 }, 'time must be an object'],
    [{ query: 'x', time: {} }, 'time.start is required'],
    [{ query: 'x', limit: 1.5 }, 'limit must be an integer'],
  ])('refuses %j', async (body, error) => {
    const reply = await recall(body)

    expect(reply.status).toBe(400)
    expect(reply.body['error']).toContain(error)
  })

  test('who may: saving an aggregate needs the permission remember', async () => {
    const body = { query: 'orchard', aggregate: true, saveAggregate: true }

    expect(await recall(body, { role: 'readonly' })).toMatchObject({ status: 403 })
    expect(await recall({ query: 'orchard' }, { role: 'readonly' })).toMatchObject({ status: 200 })
  })

  test('who may: a project token cannot save an aggregate in another project', async () => {
    const body = { query: 'orchard', aggregate: true, saveAggregate: true }
    const within = { scope: { project: 'p1' } }

    expect(await recall({ ...body, project: 'p2' }, within)).toMatchObject({
      status: 403,
      body: { error: "scope restricted to project 'p1'" },
    })
    for (const request of [body, { ...body, project: 'p1' }, { query: 'orchard', project: 'p2' }])
      expect(await recall(request, within)).toMatchObject({ status: 200 })
  })

  test('who may: private memories of other agents are not found', async () => {
    await save('The vault opens at noon', { visibility: 'private' })

    expect(ids(await recall({ query: 'vault noon' }))).toHaveLength(1)
    expect(ids(await recall({ query: 'vault noon' }, { agent: 'stranger' }))).toEqual([])
  })
})

describe('similar', () => {
  const similar = (query: string, ask: Ask = {}) => service.ask(`GET /memory/similar?${query}`, ask)

  test('works: returns nearest neighbours once vectors exist', async () => {
    const kitten = await save('A small kitten sleeps on the sofa')
    const puppy = await save('A young puppy naps on the couch')
    await save('The linker ran out of memory')
    const method = async () => (await recall({ query: 'young animals' })).body['method']
    await expect.poll(method, { timeout: 20_000 }).toBe('hybrid')

    const { status, body } = await similar(`id=${kitten}&k=1`)

    expect(status).toBe(200)
    expect(ids({ body })).toEqual([puppy])
    expect((await recall({ query: 'young animals' })).body['meta']).not.toHaveProperty('partial')
    // A superseded memory may be named, and is not returned.
    const dog = await save('A grown-up puppy naps on the couch', { supersedes: puppy })
    expect(ids(await similar(`id=${puppy}&k=1`))).toEqual([dog])
    expect(ids(await similar(`id=${dog}`))).not.toContain(puppy)
  })

  test('refuses a missing id and a memory without a vector', async () => {
    expect(await similar('k=3')).toMatchObject({ status: 400, body: { error: 'id is required' } })
    const elsewhere = await save('A kitten in another namespace', { scope: 'world' })
    expect(await similar(`id=${elsewhere}`)).toMatchObject({ status: 404 })
    expect(await similar('id=missing')).toMatchObject({
      status: 404,
      body: { error: 'No embedding found for this memory', results: [], code: 'no_embedding' },
    })
  })

  test('who may: a private memory of another agent has no neighbours', async () => {
    const id = await save('The crypt is locked', { visibility: 'private' })

    expect(await similar(`id=${id}`, { agent: 'stranger' })).toMatchObject({ status: 404 })
    expect(await similar(`id=${id}`, { role: 'anonymous' })).toMatchObject({ status: 401 })
  })
})

describe('search of the words', () => {
  const search = (query: string, ask: Ask = {}) => service.ask(`GET /memory/search?${query}`, ask)

  test('works with FTS syntax, and searches invalid syntax as plain words', async () => {
    const id = await save('The ferry sails (weekly) on Monday', { tags: 'boats' })

    expect(ids(await search('q=ferry'))).toEqual([id])
    expect(ids(await search(`q=${encodeURIComponent('(weekly) on')}`))).toEqual([id])
    expect(ids(await search('tags=boats&pinned=0'))).toEqual([id])
    expect(ids(await search('q=ferry%00boat'))).toEqual([])
    expect((await search('distinct=who')).body['values']).toContain('daemon')
    expect((await search('')).body).toEqual({ results: [] })
  })

  test('who may: other agents find nothing', async () => {
    expect(ids(await search('q=ferry', { agent: 'stranger' }))).toEqual([])
    expect((await search('distinct=who', { agent: 'stranger' })).body).toEqual({ values: [] })
  })
})
