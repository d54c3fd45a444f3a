import { afterAll, describe, expect, test, vi } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

/**
 * Both memories are due, recalled, embedded and of today, so only the namespace can exclude them.
 */
const unscoped = await keep('The lantern hangs in the porch')
const scoped = await keep('The lantern hangs in the crypt', { scope: 'world:alpha' })
for (const scope of [undefined, 'world:alpha']) {
  const body = { query: 'where the lantern hangs', scope }
  expect((await service.ask('POST /api/memory/recall', { body })).body['results']).toHaveLength(1)
}

async function keep(content: string, more: object = {}): Promise<string> {
  const body = { content, reviewAfter: '2020-01-01T00:00:00Z', ...more }
  return String((await service.ask('POST /api/memory/remember', { body })).body['id'])
}

type Row = Readonly<Record<string, unknown>>

/** Polls, because accesses are counted and layouts are computed in the background. */
function idsOf(path: string, name: string, query: string): Promise<readonly unknown[]> {
  return vi.waitFor(
    async () => {
      const { body } = await service.ask(`GET ${path}?limit=50${query}`)
      const rows = body[name] as readonly Row[]
      expect(rows.length).toBeGreaterThan(0)
      return rows.map(({ id }) => id)
    },
    { timeout: 30_000, interval: 100 },
  )
}

const lists = [
  ['/api/memories', 'memories'],
  ['/api/memories/most-used', 'memories'],
  ['/api/memory/review-queue', 'items'],
  ['/api/embeddings', 'embeddings'],
  ['/api/embeddings/projection', 'nodes'],
] as const

describe.each(lists)('%s', (path, name) => {
  test('shows memories without a namespace by default', async () => {
    // The second request reads a cached view.
    for (const query of ['', '&scope=', '&scope=world:alpha', ''])
      expect(await idsOf(path, name, query)).toEqual([
        query === '&scope=world:alpha' ? scoped : unscoped,
      ])
  })

  test('shows nothing for an unknown namespace or a prefix', async () => {
    for (const scope of ['world', 'world:alpha2', 'WORLD:ALPHA'])
      expect((await service.ask(`GET ${path}?scope=${scope}`)).body[name]).toEqual([])
  })
})

test('the counts of a list match its namespace', async () => {
  const stats = { total: 1, withEmbeddings: 1, critical: 0 }

  for (const query of ['', '?scope=world:alpha'])
    expect((await service.ask(`GET /api/memories${query}`)).body['stats']).toEqual(stats)
  expect((await service.ask('GET /api/memories?scope=none')).body['stats']).toEqual({
    total: 0,
    withEmbeddings: 0,
    critical: 0,
  })
  for (const query of ['', '?scope=world:alpha', '?vectors=true', '?vectors=1&scope=world:alpha'])
    expect((await service.ask(`GET /api/embeddings${query}`)).body).toMatchObject({
      count: 1,
      total: 1,
    })
})

test('the timeline counts memories and events of one namespace', async () => {
  const reason = 'a test'
  await service.ask(`PATCH /api/memory/${scoped}`, { body: { reason, importance: 0.2 } })
  const countOf = async (query: string) => {
    const { body } = await service.ask(`GET /api/memory/timeline${query}`)
    return [body['totalMemories'], body['totalHistoryEvents']]
  }

  expect(await countOf('')).toEqual([1, 1])
  expect(await countOf('?scope=world:alpha')).toEqual([1, 2])
  expect(await countOf('?scope=none')).toEqual([0, 0])
})

test('allScopes lists every namespace', async () => {
  const { body } = await service.ask('GET /api/memories?allScopes=true')

  expect(body['stats']).toMatchObject({ total: 2, withEmbeddings: 2 })
  expect((body['memories'] as readonly Row[]).map(({ id }) => id)).toEqual([scoped, unscoped])
  const narrowed = await service.ask('GET /api/memories?allScopes=true&scope=world:alpha')
  expect(narrowed.body['stats']).toMatchObject({ total: 1 })
  expect((await service.ask('GET /api/memories?allScopes=0')).body['stats']).toMatchObject({
    total: 1,
  })
})

test('embeddings and status count every namespace', async () => {
  expect((await service.ask('GET /api/embeddings/status')).body).toMatchObject({
    tracker: { total: 2, embedded: 2 },
  })
  const { checks } = (await service.ask('GET /api/embeddings/health')).body
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'coverage',
      detail: expect.objectContaining({ total: 2, embedded: 2 }),
    }),
  )
})

test('a read by id needs no namespace', async () => {
  expect((await service.ask(`GET /api/memory/${scoped}`)).body).toMatchObject({
    scope: 'world:alpha',
  })
})
