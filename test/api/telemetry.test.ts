import { afterAll, describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { type Ask, startService } from '../support/start-service.ts'
import { callTool } from '../support/tools.ts'

const service = await startService({
  config: { telemetry: { memorySearchQaEnabled: true, retentionDays: 30 } },
})
afterAll(() => service.stop())

interface Item {
  readonly id: string
  readonly route: string
  readonly agent_id: string
  readonly created_at: string
  readonly results: readonly { readonly id: string; readonly content: string }[]
}

const { hook, newKey } = hooksOf(service)
const path = '/api/telemetry/memory-search'
const listed = async (query = '', ask: Ask = {}) =>
  (await service.ask(`GET ${path}?${query}`, ask)).body as unknown as {
    readonly items: readonly Item[]
    readonly count: number
  }
const exported = async (query = '', of = service) => {
  const authorization = `Bearer ${of.tokenFor('operator')}`
  const reply = await fetch(`${of.url}${path}/export?${query}`, { headers: { authorization } })
  expect(reply.headers.get('content-type')).toContain('application/x-ndjson')
  const lines = (await reply.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Item)
}
const remember = async (content: string, ask: Ask = {}) =>
  String((await service.ask('POST /api/memory/remember', { body: { content }, ...ask })).body['id'])
const recall = (body: object, ask: Ask = {}) =>
  service.ask('POST /api/memory/recall', { body, ...ask })

const id = await remember('The quillwort grows in umbrage')
await recall({ query: 'quillwort', limit: 5, session_key: 'walk' })
await service.ask('GET /api/memory/search?q=quillwort')
await hook('recall', { query: 'quillwort', sessionKey: newKey() })
await hook('user-prompt-submit', { userMessage: 'where does the quillwort grow' })
await hook('user-prompt-submit', { userMessage: 'thanks' })
await callTool(service, { name: 'memory_search', arguments: { query: 'quillwort' } })
await recall({ query: 'nothing like it' })

describe('what the memory was asked', () => {
  test('works: each way of asking, the latest first', async () => {
    const { items, count } = await listed()

    expect(count).toBe(items.length)
    expect(items.map(({ route }) => route)).toEqual([
      ...['POST /api/memory/recall', 'mcp.memory_search', 'POST /api/hooks/user-prompt-submit'],
      ...['POST /api/hooks/recall', 'GET /api/memory/search', 'POST /api/memory/recall'],
    ])
    expect(items.at(-1)).toMatchObject({
      ...{ agent_id: 'ada', session_key: 'walk', query: 'quillwort', no_hits: false },
      ...{ id: expect.any(String), created_at: expect.any(String), project: null },
      ...{ filters: { limit: 5, readPolicy: 'shared' }, duration_ms: expect.any(Number) },
      ...{ result_count: 1, top_score: expect.any(Number), method: expect.any(String) },
      results: [
        {
          ...{ rank: 1, id, content: 'The quillwort grows in umbrage', truncated: false },
          ...{ score: expect.any(Number), source: expect.any(String), content_length: 30 },
        },
      ],
    })
  })

  test('works: narrowed by what is asked, in either spelling', async () => {
    const routes = async (query: string) => (await listed(query)).items.map(({ route }) => route)

    expect(await routes('session_key=walk')).toEqual(['POST /api/memory/recall'])
    expect(await routes('sessionKey=walk&session_key=none')).toHaveLength(1)
    expect(await routes('route=mcp.memory_search')).toEqual(['mcp.memory_search'])
    expect(await routes('no_hits=true')).toEqual([
      ...['POST /api/memory/recall', 'POST /api/hooks/user-prompt-submit'],
    ])
    expect(await routes('noHits=1&limit=1&offset=1')).toEqual([
      'POST /api/hooks/user-prompt-submit',
    ])
    expect(await routes('since=2200-01-01T00:00:00Z')).toEqual([])
    expect(await routes('until=2200-01-01T00:00:00Z&limit=9999')).toHaveLength(6)
    expect(await routes('agent_id=bob')).toEqual([])
  })

  test('works: one a line', async () => {
    expect((await exported()).map(({ id }) => id)).toEqual(
      (await listed()).items.map(({ id }) => id),
    )
    expect(await exported('limit=2&no_hits=false')).toHaveLength(2)
    expect(await exported('route=none')).toEqual([])
  })

  test('works: the black box of a session tells it without the words', async () => {
    const { body } = await service.ask('GET /api/sessions/walk/blackbox')

    expect(body).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({ kind: 'recall.requested', refs: [] }),
        expect.objectContaining({
          kind: 'recall.result',
          refs: [expect.objectContaining({ kind: 'memory', id, status: 'active' })],
          payload: expect.objectContaining({ route: 'POST /api/memory/recall', resultCount: 1 }),
        }),
      ]),
    })
    expect((await service.ask('GET /api/sessions/blackbox')).body['sessions']).toContainEqual(
      expect.objectContaining({ sessionKey: 'walk', recallEvents: 3 }),
    )
  })

  test.each([
    ['since=then', 'since must be a valid ISO timestamp'],
    ['limit=1.5', 'limit must be an integer'],
  ])('refuses: %s', async (query, error) => {
    for (const way of [path, `${path}/export`])
      expect(await service.ask(`GET ${way}?${query}`)).toMatchObject({
        ...{ status: 400, body: { error } },
      })
  })

  test('who may: a token of one agent or project sees its own', async () => {
    await recall({ query: 'quillwort' }, { agent: 'bob' })
    const agents = async (query: string, ask: Ask) =>
      new Set((await listed(query, ask)).items.map((item) => item.agent_id))
    const nameless = { headers: { 'x-svc-agent-id': '' } }

    expect(await agents('', nameless)).toEqual(new Set(['ada', 'bob']))
    expect(await agents('', { ...nameless, scope: { agent: 'bob' } })).toEqual(new Set(['bob']))
    expect(await agents('agentId=bob', {})).toEqual(new Set(['bob']))
    expect(await agents('', { scope: { project: 'apollo' } })).toEqual(new Set())
    const reply = await service.ask(`GET ${path}?agent_id=ada`, {
      ...{ scope: { agent: 'bob' }, agent: 'bob' },
    })
    expect(reply.status).toBe(403)
  })
})

describe('what is gone', () => {
  test('goes from what was recorded, and with an agent all that it asked', async () => {
    await service.ask('POST /api/agents', { body: { name: 'bob', read_policy: 'shared' } })
    const gone = await remember('The heron eats vermilion fish')
    await recall({ query: 'heron' })
    await recall({ query: 'heron' }, { agent: 'bob' })
    expect(JSON.stringify(await listed('agent_id=bob'))).toContain('vermilion')

    await service.ask(`DELETE /api/memory/${gone}?reason=test`)
    const all = async () => JSON.stringify([await listed('limit=500'), await exported()])
    expect(await all()).not.toContain('vermilion')
    expect((await listed('agent_id=bob')).items[0]).toMatchObject({
      results: [{ id: gone, content: '', forgotten: true }],
    })

    await service.ask('POST /api/agents', { body: { name: 'cleo' } })
    await remember('A secret of cleo is magenta', { agent: 'cleo' })
    await recall({ query: 'secret of cleo' }, { agent: 'cleo' })
    await recall({ query: 'secret of cleo' })
    expect(await all()).toContain('magenta')
    const { status } = await service.ask('DELETE /api/agents/cleo?purge=true', { role: 'admin' })
    expect(status).toBe(200)
    expect((await listed('agent_id=cleo')).items).toEqual([])
    expect(await all()).not.toContain('magenta')
  })
})

test('what was asked outlives the daemon, and nothing is told once it is switched off', async () => {
  const off = await startService()
  await off.ask('POST /api/memory/recall', { body: { query: 'quillwort' } })
  expect((await off.ask(`GET ${path}`)).body).toEqual({ items: [], count: 0 })
  expect(await exported('', off)).toEqual([])
  await off.stop()

  await recall({ query: 'just before the end' })
  await service.restart()
  expect((await listed()).items[0]).toMatchObject({ query: 'just before the end' })
})
