import { afterAll, describe, expect, test } from 'vitest'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const save = async (content: string, more: object = {}) =>
  String(
    (await service.ask('POST /api/memory/remember', { body: { content, ...more } })).body['id'],
  )
const feedback = (body: unknown, ask: Ask = {}) =>
  service.ask('POST /api/memory/feedback', { body, ...ask })

describe('feedback', () => {
  test('works: it counts once a session, is told apart from no change, and is in the history', async () => {
    const id = await save('The mill turns at dawn')
    const said = { sessionKey: 'one', feedback: { [id]: 'useful', nobody: 1 } }

    expect((await feedback(said)).body).toMatchObject({
      ...{ ok: true, recorded: 1, accepted: 1, rejected: 1 },
      results: [
        { id, status: 'recorded' },
        { id: 'nobody', status: 'not_found' },
      ],
    })
    expect((await feedback(said)).body).toMatchObject({ recorded: 0, accepted: 1 })
    expect((await feedback({ key: 'one', feedback: { [id]: null } })).body).toMatchObject({
      results: [{ status: 'withdrawn' }],
    })
    expect((await service.ask(`GET /api/memory/${id}/history`)).body['history']).toMatchObject([
      { event: 'created' },
      { event: 'rated', metadata: { rating: 1, previous: 0 } },
      { event: 'rated', metadata: { rating: 0, previous: 1 } },
    ])
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

  test('who may: who may remember, and only about what it may read', async () => {
    const id = await save('The mill is mine', { visibility: 'private' })
    const said = { sessionKey: 'two', feedback: { [id]: 'wrong' } }

    expect(await feedback(said, { role: 'readonly' })).toMatchObject({ status: 403 })
    expect((await feedback(said, { agent: 'stranger' })).body).toMatchObject({ rejected: 1 })
  })
})

describe('most used, timeline and review queue', () => {
  test('work: what is recalled is counted, what was kept is on the timeline, what is wrong is due', async () => {
    const id = await save('The weir is open', { reviewAfter: '2020-01-01T00:00:00Z' })
    await service.ask('POST /api/memory/recall', { body: { query: 'weir open' } })
    await feedback({ sessionKey: 'three', feedback: { [id]: 'outdated' } })

    await expect
      .poll(async () => (await service.ask('GET /api/memories/most-used?limit=1')).body['memories'])
      .toMatchObject([{ id, access_count: 1 }])
    const timeline = (await service.ask('GET /api/memory/timeline?tzOffset=-60')).body
    expect(timeline).toMatchObject({ generatedFor: 'ada', invalidMemoryTimestamps: 0 })
    expect(timeline['buckets']).toMatchObject([
      { rangeKey: 'today' },
      { rangeKey: 'last_week' },
      { rangeKey: 'last_month', memories: timeline['totalMemories'] },
    ])
    expect((await service.ask('GET /api/memory/review-queue')).body['items']).toMatchObject([
      { id, event: 'REVIEW_NEEDED', reasons: ['review_due', 'disputed'] },
    ])
  })

  test('refuse fractions, and clamp what is out of bounds', async () => {
    expect(await service.ask('GET /api/memory/timeline?tzOffset=0.5')).toMatchObject({
      status: 400,
    })
    expect(await service.ask('GET /api/memory/timeline?tzOffset=99999')).toMatchObject({
      status: 200,
    })
    expect(await service.ask('GET /api/memories/most-used?limit=-4')).toMatchObject({ status: 200 })
  })

  test('who may: strangers see empty ones', async () => {
    const ask = { agent: 'stranger' }

    expect((await service.ask('GET /api/memories/most-used', ask)).body).toEqual({ memories: [] })
    expect((await service.ask('GET /api/memory/timeline', ask)).body).toMatchObject({
      ...{ totalMemories: 0, totalHistoryEvents: 0 },
    })
    expect((await service.ask('GET /api/memory/review-queue', ask)).body).toEqual({
      ...{ count: 0, items: [] },
    })
  })
})
