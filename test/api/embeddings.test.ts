import { afterAll, describe, expect, test, vi } from 'vitest'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const save = async (content: string, ask: Ask = {}) =>
  (await service.ask('POST /api/memory/remember', { body: { content }, ...ask })).body
const kitten = await save('Maria adopted a grey kitten in June.')

/** An agent that reads only its own memories. */
const createAgent = (name: string) => service.ask('POST /api/agents', { body: { name } })

const statusOperation = 'GET /api/embeddings/status'
/** Polls until the reply matches, because the work runs in the background. */
const until = (operation: string, expected: object, ask: Ask = {}) =>
  vi.waitFor(async () => expect((await service.ask(operation, ask)).body).toMatchObject(expected), {
    timeout: 30_000,
    interval: 100,
  })

describe('the export', () => {
  test('works: a saved memory appears at once, with its vector on request', async () => {
    expect(kitten['embedded']).toBe(true)

    const { status, body } = await service.ask('GET /api/embeddings')

    const { id, content } = kitten
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 1, total: 1, limit: 600, offset: 0, hasMore: false })
    expect(body['embeddings']).toMatchObject([{ id, content, text: content, type: 'fact' }])
    expect(JSON.stringify(body)).not.toContain('vector')
    const [first] = (await service.ask('GET /api/embeddings?vectors=true')).body['embeddings'] as {
      vector: number[]
    }[]
    expect(first?.vector).toHaveLength(256)
    expect(first?.vector[0]).toBeCloseTo(0.16775, 5)
  })

  test.each([
    ['limit=1&offset=-5', { limit: 50, offset: 0 }],
    ['limit=9999&offset=100001', { limit: 5000, offset: 100_000 }],
    ['limit=&offset=abc', { limit: 600, offset: 0 }],
    ['limit=60&limit=70&offset=1&offset=2', { limit: 600, offset: 0 }],
    ['offset=1', { embeddings: [], count: 0, total: 1, offset: 1, hasMore: false }],
  ])(
    'works: %s is clamped to the limits, and a page beyond the end is empty',
    async (said, page) => {
      expect((await service.ask(`GET /api/embeddings?${said}`)).body).toMatchObject(page)
    },
  )

  test('works: deleted memories are excluded, also from the number of vectors', async () => {
    await createAgent('cyd')
    const { id } = await save('A second thought', { agent: 'cyd' })
    const stats = async () =>
      (await service.ask('GET /api/memories', { agent: 'cyd' })).body['stats']
    expect(await stats()).toMatchObject({ total: 1, withEmbeddings: 1 })

    await service.ask(`DELETE /api/memory/${id}?reason=test`, { agent: 'cyd' })

    expect(await stats()).toMatchObject({ total: 0, withEmbeddings: 0 })
    const { body } = await service.ask('GET /api/embeddings', { agent: 'cyd' })
    expect(JSON.stringify(body)).not.toContain(String(id))
  })

  test('refuses a fraction', async () => {
    const { status, body } = await service.ask('GET /api/embeddings?limit=50.5')

    expect(status).toBe(400)
    expect(body['error']).toContain('limit must be an integer')
  })

  test('who may: each agent sees its own', async () => {
    const { body } = await service.ask('GET /api/embeddings', { agent: 'bob' })
    const { status } = await service.ask('GET /api/embeddings', { role: 'anonymous' })

    expect(body).toMatchObject({ embeddings: [], total: 0 })
    expect(status).toBe(401)
  })
})

test.each(['status', 'health', 'projection'])('the %s requires a credential', async (path) => {
  expect((await service.ask(`GET /api/embeddings/${path}`, { role: 'anonymous' })).status).toBe(401)
})

describe('the status', () => {
  test('works: reports the provider, its model and the progress', async () => {
    const { body } = await service.ask(statusOperation)

    expect(body).toMatchObject({
      provider: 'static',
      model: 'static-en-256',
      available: true,
      dimensions: 256,
      base_url: null,
      tracker: { active: 'static-en-256/256/int8/plain', building: null, refused: 0 },
    })
    expect(await checks()).toMatchObject({ provider: 'static', available: true })
    expect((await service.ask(statusOperation)).body['checkedAt']).toBe(body['checkedAt'])
  })
})

describe('the health', () => {
  test('works: healthy if every memory has a vector', async () => {
    const { body } = await service.ask('GET /api/embeddings/health')

    expect(body).toMatchObject({
      status: 'healthy',
      score: 1,
      coverage: 100,
      staleCount: 0,
      provider: { name: 'static', available: true },
      config: { provider: 'static', model: 'static-en-256', dimensions: 256 },
    })
    expect((body['checks'] as { name: string }[]).map(({ name }) => name)).toEqual([
      'provider-available',
      'coverage',
      'dimension-mismatch',
      'model-drift',
      'null-vectors',
      'vec-table-sync',
      'orphaned-embeddings',
    ])
  })

  test('works: coverage includes readable memories only', async () => {
    expect((await service.ask('GET /api/embeddings/health', { agent: 'bob' })).body).toMatchObject({
      coverage: 100,
    })
  })
})

describe('the projection', () => {
  test('works: computed in the background, then cached', async () => {
    const agent = 'dan'
    await createAgent(agent)
    const words = ['tea', 'rain', 'sails', 'bread', 'chess', 'owls', 'maps', 'wool']
    for (const word of words) await save(`Dan wrote about ${word} today`, { agent })

    const first = await service.ask('GET /api/embeddings/projection', { agent })
    expect(first.status).toBe(202)
    expect(first.body).toEqual({ status: 'computing', dimensions: 2, count: 8, total: 8 })

    await until('GET /api/embeddings/projection', { status: 'cached' }, { agent })
    const { status, body } = await service.ask('GET /api/embeddings/projection', { agent })
    const nodes = body['nodes'] as Readonly<Record<string, unknown>>[]
    expect(status).toBe(200)
    expect(body).toMatchObject({ dimensions: 2, count: 8, total: 8 })
    expect(nodes.map(({ content }) => content)).toContain('Dan wrote about owls today')
    expect(nodes[0]).not.toHaveProperty('z')
    for (const { x, y } of nodes)
      for (const value of [x, y]) expect(Math.abs(Number(value))).toBeLessThanOrEqual(210)
    expect((body['edges'] as unknown[]).length).toBeGreaterThan(8)

    await until('GET /api/embeddings/projection?dimensions=3', { status: 'cached' }, { agent })
    const solid = await service.ask('GET /api/embeddings/projection?dimensions=3', { agent })
    expect((solid.body['nodes'] as unknown[])[0]).toHaveProperty('z')
  })

  test('works: excludes deleted memories', async () => {
    const agent = 'eve'
    await createAgent(agent)
    const { id } = await save('Eve hid the spare key', { agent })
    await save('Eve likes the sea', { agent })
    const projection = 'GET /api/embeddings/projection?dimensions=7'
    await until(projection, { status: 'cached', dimensions: 2, count: 2 }, { agent })

    await service.ask(`DELETE /api/memory/${id}?reason=test`, { agent })

    expect(JSON.stringify((await service.ask(projection, { agent })).body)).not.toContain(
      'spare key',
    )
    await until(projection, { status: 'cached', count: 1 }, { agent })
  })

  test('works: empty at once without memories', async () => {
    const { status, body } = await service.ask('GET /api/embeddings/projection', { agent: 'fay' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'cached', count: 0, total: 0, nodes: [], edges: [] })
  })
})

describe('the backfill', () => {
  test('works: starts at once and ends when every vector exists', async () => {
    const { status, body } = await service.ask('POST /api/embeddings/backfill', { role: 'admin' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'started' })
    await until('GET /api/embeddings/status', { tracker: { state: 'idle' } })
  })

  test('who may: administrators', async () => {
    expect((await service.ask('POST /api/embeddings/backfill')).status).toBe(403)
  })
})

async function checks() {
  const { body } = await service.ask('GET /health/ready')
  return (body['checks'] as Readonly<Record<string, unknown>>)['embedding']
}
