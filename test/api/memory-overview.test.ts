import { describe, expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'
import type { Ask } from '../support/start-service.ts'

const service = await startSharedService('mona')

const save = async (content: string, more: object = {}) =>
  String(
    (await service.ask('POST /api/memory/remember', { body: { content, ...more } })).body['id'],
  )
const feedback = (body: unknown, ask: Ask = {}) =>
  service.ask('POST /api/memory/feedback', { body, ...ask })

describe('feedback', () => {
  test('works: counts once a session, reports no change, and is in the history', async () => {
    const id = await save('The mill turns at dawn')
    const feedbackBody = { sessionKey: 'one', feedback: { [id]: 'useful', missing: 1 } }

    expect((await feedback(feedbackBody)).body).toMatchObject({
      ok: true,
      recorded: 1,
      accepted: 1,
      rejected: 1,
      results: [
        { id, status: 'recorded' },
        { id: 'missing', status: 'not_found' },
      ],
    })
    expect((await feedback(feedbackBody)).body).toMatchObject({ recorded: 0, accepted: 1 })
    expect((await feedback({ key: 'one', feedback: { [id]: null } })).body).toMatchObject({
      results: [{ status: 'withdrawn' }],
    })
    expect((await service.ask(`GET /api/memory/${id}/history`)).body['history']).toMatchObject([
      { event: 'created' },
      { event: 'rated', metadata: { rating: 1, previous: 0 } },
      { event: 'rated', metadata: { rating: 0, previous: 1 } },
    ])
  })

  test('works: the reply echoes no credential that is sent as an id', async () => {
    const id = `a <private>umbrage</private> DB_PASSWORD=rosebud ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`

    expect((await feedback({ key: 'one', feedback: { [id]: 1 } })).body['results']).toEqual([
      { id: 'a  DB_PASSWORD=[REDACTED] [REDACTED]', status: 'not_found' },
    ])
  })

  test('works: uses the session header when the body has no session', async () => {
    const id = await save('The mill stands at dusk')
    const headers = { 'x-svc-session-key': 'dusk' }
    const say = async (body: object, ask: Ask = {}) =>
      (await feedback({ feedback: { [id]: 'useful' }, ...body }, ask)).body['results']

    expect(await say({}, { headers })).toEqual([{ id, status: 'recorded' }])
    expect(await say({ sessionKey: 'dusk' })).toEqual([{ id, status: 'unchanged' }])
    expect(await say({ key: 'night' }, { headers })).toEqual([{ id, status: 'recorded' }])
  })

  test.each([
    [{ feedback: { a: 1 } }, 'sessionKey is required'],
    [{ sessionKey: 's' }, 'feedback must map ids to'],
    [{ sessionKey: 's', feedback: {} }, 'feedback must map ids to'],
    [{ sessionKey: 's', feedback: { a: 2 } }, 'feedback must map ids to'],
    [{ sessionKey: 's', feedback: { a: 'nice' } }, 'feedback must map ids to'],
  ])('refuses %j', async (body, error) => {
    const reply = await feedback(body)

    expect(reply.status).toBe(400)
    expect(reply.body['error']).toContain(error)
  })

  test('who may: callers with remember, for readable memories', async () => {
    const id = await save('The mill is mine', { visibility: 'private' })
    const feedbackBody = { sessionKey: 'two', feedback: { [id]: 'wrong' } }

    expect(await feedback(feedbackBody, { role: 'readonly' })).toMatchObject({ status: 403 })
    expect((await feedback(feedbackBody, { agent: 'stranger' })).body).toMatchObject({
      rejected: 1,
    })
  })
})

describe('most used, timeline and review queue', () => {
  test('work: recalls are counted, memories are on the timeline, disputed ones need review', async () => {
    const id = await save('The weir is open', { reviewAfter: '2020-01-01T00:00:00Z' })
    await service.ask('POST /api/memory/recall', { body: { query: 'weir open' } })
    await feedback({ sessionKey: 'three', feedback: { [id]: 'outdated' } })

    await expect
      .poll(async () => (await service.ask('GET /api/memories/most-used?limit=1')).body['memories'])
      .toMatchObject([{ id, access_count: 1 }])
    const timeline = (await service.ask('GET /api/memory/timeline?tzOffset=-60')).body
    expect(timeline).toMatchObject({ generatedFor: 'mona', invalidMemoryTimestamps: 0 })
    expect(timeline['buckets']).toMatchObject([
      { rangeKey: 'today' },
      { rangeKey: 'last_week' },
      { rangeKey: 'last_month', memories: timeline['totalMemories'] },
    ])
    expect((await service.ask('GET /api/memory/review-queue')).body['items']).toMatchObject([
      { id, event: 'REVIEW_NEEDED', reasons: ['review_due', 'disputed'] },
    ])
  })

  test('refuse fractions', async () => {
    for (const call of ['memory/timeline?tzOffset=0.5', 'memories/most-used?limit=1.5'])
      expect(await service.ask(`GET /api/${call}`)).toMatchObject({ status: 400 })
  })

  test('work: UTC offsets are at most 14 hours', async () => {
    const startsAt = async (tzOffset: number) => {
      const { body } = await service.ask(`GET /api/memory/timeline?tzOffset=${tzOffset}`)
      return (body['buckets'] as { start: string }[]).map(({ start }) => start.slice(11))
    }

    for (const west of [840, 841, 99_999])
      expect(await startsAt(west)).toEqual(Array(3).fill('14:00:00.000Z'))
    for (const east of [-840, -841, -99_999])
      expect(await startsAt(east)).toEqual(Array(3).fill('10:00:00.000Z'))
  })

  test('work: the totals of a timeline are those of the last month', async () => {
    const ask = { agent: 'solo' }
    await service.ask('POST /api/agents', { body: { name: 'solo', read_policy: 'isolated' } })
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const [first] = [
      await save('The well is deep', { agentId: 'solo', pinned: true, importance: 1 }),
      await save('The well was dug', { agentId: 'solo', createdAt: daysAgo(3), importance: 0.5 }),
      await save('The well was dry', { agentId: 'solo', createdAt: daysAgo(20), type: 'issue' }),
      await save('The well was a field', { agentId: 'solo', createdAt: daysAgo(60) }),
    ]
    const body = { reason: 'a test', importance: 0.9 }
    await service.ask(`PATCH /api/memory/${first}`, { ...ask, body })

    const { body: reply } = await service.ask('GET /api/memory/timeline', ask)

    expect(reply).toMatchObject({ generatedFor: 'solo', totalMemories: 3, totalHistoryEvents: 5 })
    const events = [
      { name: 'created', count: 4 },
      { name: 'updated', count: 1 },
    ]
    expect(reply['buckets']).toMatchObject([
      { memories: 1, pinned: 1, averageImportance: 0.9, historyEvents: 5, events },
      { memories: 2, pinned: 1, averageImportance: 0.7, types: [{ name: 'fact', count: 2 }] },
      { memories: 3, pinned: 1, historyEvents: 5, events },
    ])
  })

  test('work: the most used list has 1 to 100 items', async () => {
    const ask = { agent: 'many' }
    await service.ask('POST /api/agents', { body: { name: 'many', read_policy: 'isolated' } })
    const tags = ['one', 'two', 'three']
    for (const tag of tags)
      await Promise.all(
        Array.from({ length: 35 }, (_, at) =>
          save(`The sprocket ${tag} ${at} turns`, { agentId: 'many', tags: tag }),
        ),
      )
    for (const tag of tags) {
      const body = { query: 'sprocket', limit: 50, tags: tag }
      const { body: reply } = await service.ask('POST /api/memory/recall', { ...ask, body })
      expect(reply['results']).toHaveLength(35)
    }
    const countOf = async (limit: string) => {
      const { body } = await service.ask(`GET /api/memories/most-used${limit}`, ask)
      return (body['memories'] as unknown[]).length
    }

    await expect.poll(() => countOf('?limit=1000')).toBe(100)
    expect(await countOf('?limit=101')).toBe(100)
    expect(await countOf('?limit=-4')).toBe(1)
    expect(await countOf('?limit=0')).toBe(1)
    expect(await countOf('')).toBe(10)
  })

  test('who may: other agents get empty replies', async () => {
    const ask = { agent: 'stranger' }

    expect((await service.ask('GET /api/memories/most-used', ask)).body).toEqual({ memories: [] })
    expect((await service.ask('GET /api/memory/timeline', ask)).body).toMatchObject({
      totalMemories: 0,
      totalHistoryEvents: 0,
    })
    expect((await service.ask('GET /api/memory/review-queue', ask)).body).toEqual({
      count: 0,
      items: [],
    })
  })
})
