import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
/** Parses the lines of an export. */
const linesOf = async <Line>(route: string, of = service) => {
  const authorization = `Bearer ${of.tokenFor('operator')}`
  const reply = await fetch(of.url + route, { headers: { authorization } })
  expect(reply.headers.get('content-type')).toContain('application/x-ndjson')
  const lines = (await reply.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Line)
}
const exported = (query = '', of = service) => linesOf<Item>(`${path}/export?${query}`, of)
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

describe('memory queries', () => {
  test('lists the queries of each route, latest first', async () => {
    const { items, count } = await listed()

    expect(count).toBe(items.length)
    expect(items.map(({ route }) => route)).toEqual([
      ...['POST /api/memory/recall', 'mcp.memory_search', 'POST /api/hooks/user-prompt-submit'],
      ...['POST /api/hooks/recall', 'GET /api/memory/search', 'POST /api/memory/recall'],
    ])
    expect(items.at(-1)).toMatchObject({
      agent_id: 'ada',
      session_key: 'walk',
      query: 'quillwort',
      no_hits: false,
      id: expect.any(String),
      created_at: expect.any(String),
      project: null,
      filters: { limit: 5, readPolicy: 'shared' },
      duration_ms: expect.any(Number),
      result_count: 1,
      top_score: expect.any(Number),
      method: expect.any(String),
      results: [
        {
          rank: 1,
          id,
          content: 'The quillwort grows in umbrage',
          truncated: false,
          score: expect.any(Number),
          source: expect.any(String),
          content_length: 30,
        },
      ],
    })
  })

  test('applies filters in either spelling', async () => {
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

  test('exports JSON Lines', async () => {
    expect((await exported()).map(({ id }) => id)).toEqual(
      (await listed()).items.map(({ id }) => id),
    )
    expect(await exported('limit=2&no_hits=false')).toHaveLength(2)
    expect(await exported('route=none')).toEqual([])
  })

  test('the timeline of a session lists queries without their text', async () => {
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
  ])('refuses %s', async (query, error) => {
    for (const route of [path, `${path}/export`])
      expect(await service.ask(`GET ${route}?${query}`)).toMatchObject({
        status: 400,
        body: { error },
      })
  })

  test('agent and project tokens read only their own rows', async () => {
    await recall({ query: 'quillwort' }, { agent: 'bob' })
    const agents = async (query: string, ask: Ask) =>
      new Set((await listed(query, ask)).items.map((item) => item.agent_id))
    const nameless = { headers: { 'x-svc-agent-id': '' } }

    expect(await agents('', nameless)).toEqual(new Set(['ada', 'bob']))
    expect(await agents('', { ...nameless, scope: { agent: 'bob' } })).toEqual(new Set(['bob']))
    expect(await agents('agentId=bob', {})).toEqual(new Set(['bob']))
    expect(await agents('', { scope: { project: 'apollo' } })).toEqual(new Set())
    const reply = await service.ask(`GET ${path}?agent_id=ada`, {
      scope: { agent: 'bob' },
      agent: 'bob',
    })
    expect(reply.status).toBe(403)
  })
})

interface Event {
  readonly id: string
  readonly event: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
}

describe('events', () => {
  const events = async (query = '', ask: Ask = {}) =>
    (await service.ask(`GET /api/telemetry/events?${query}`, ask)).body as unknown as {
      readonly events: readonly Event[]
      readonly enabled: boolean
    }

  test('lists events of a session and a recall, newest first', async () => {
    const sessionKey = 'agent:ada:telling'
    const sessionHash = createHash('sha256').update(sessionKey).digest('hex').slice(0, 16)
    await hook('session-start', { sessionKey })
    await hook('user-prompt-submit', { sessionKey, userMessage: 'mend the hinge of cobalt' })
    await recall({ query: 'cobalt' })
    await hook('session-end', { sessionKey, reason: 'idle' })
    const other = newKey()
    await hook('session-start', { sessionKey: other })
    await hook('session-end', { sessionKey: other })

    const { events: listedEvents, enabled } = await events('limit=6')
    expect(enabled).toBe(true)
    expect(listedEvents.map(({ event, properties }) => [event, properties])).toEqual([
      ['session.end', expect.objectContaining({ reason: 'absent', tokensInput: 0, cost: 0 })],
      ['session.start', { harness: 'codex', sessionHash: expect.stringMatching(/^[0-9a-f]{16}$/) }],
      ['session.turn', { harness: 'codex', promptCount: 1, sessionHash }],
      [
        'recall.performed',
        expect.objectContaining({ results: expect.any(Number), latencyMs: expect.any(Number) }),
      ],
      ['session.start', { harness: 'codex', sessionHash }],
      ['recall.performed', expect.anything()],
    ])
    const lines = await linesOf<Event>('/api/telemetry/export')
    expect(lines.slice(-6).toReversed()).toEqual(listedEvents)
    for (const words of ['cobalt', 'quillwort', sessionKey, other])
      expect(JSON.stringify(lines)).not.toContain(words)
    if (service.workspace === '') return
    const file = join(service.workspace, 'runtime', 'telemetry', 'events.jsonl')
    await expect.poll(() => readFileSync(file, 'utf8')).toContain(listedEvents[0]?.id)
  })

  test('filters and summarizes events', async () => {
    const { events: recalls } = await events('event=recall.performed&limit=1000')
    expect(new Set(recalls.map(({ event }) => event))).toEqual(new Set(['recall.performed']))
    expect((await events('since=2200-01-01T00:00:00Z')).events).toEqual([])
    expect((await events(`until=${recalls.at(-1)?.timestamp}`)).events).not.toEqual([])
    expect(await linesOf('/api/telemetry/export?limit=2')).toHaveLength(2)
    expect((await service.ask('GET /api/telemetry/stats')).body).toMatchObject({
      enabled: true,
      totalEvents: (await events('limit=1000')).events.length,
      recall: { calls: recalls.length, p50: expect.any(Number) },
      llm: { calls: 0 },
      sessions: { ended: 1, cost: 0 },
      pipelineErrors: 0,
      pipelineErrorsByStage: {},
    })
  })

  test('refuses invalid times and numbers', async () => {
    for (const [route, query] of [
      ...[['events', 'until=then'] as const, ['export', 'limit=1.5'] as const],
      ['stats', 'since=soon'],
    ] as const)
      expect((await service.ask(`GET /api/telemetry/${route}?${query}`)).status).toBe(400)
  })

  test('an agent token reads its own events, a project token none', async () => {
    expect((await events('', { scope: { agent: 'cy' }, agent: 'cy' })).events).toEqual([])
    expect((await events('', { scope: { agent: 'ada' } })).events).not.toEqual([])
    expect((await events('', { scope: { project: 'apollo' } })).events).toEqual([])
  })

  test('are absent while recording is off', async () => {
    const off = await startService({
      config: { telemetry: { memorySearchQaEnabled: true } },
      env: { SVC_TELEMETRY_OPTOUT: '1' },
    })
    await off.ask('POST /api/memory/recall', { body: { query: 'quillwort' } })
    const answer = async (route: string) => (await off.ask(`GET /api/telemetry/${route}`)).body

    expect(await answer('events')).toEqual({ events: [], enabled: false })
    expect(await answer('stats')).toEqual({ enabled: false })
    expect(await off.ask('GET /api/telemetry/export')).toMatchObject({
      status: 404,
      body: { error: 'telemetry not enabled' },
    })
    expect(await answer('memory-search')).toEqual({ items: [], count: 0 })
    expect(existsSync(join(off.workspace, 'runtime', 'telemetry'))).toBe(false)
    await off.stop()
  })
})

describe('erasure', () => {
  test('erases forgotten contents, and all rows of a removed agent', async () => {
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

test('recorded queries survive a restart, and switching recording off hides them', async () => {
  const off = await startService()
  await off.ask('POST /api/memory/recall', { body: { query: 'quillwort' } })
  expect((await off.ask(`GET ${path}`)).body).toEqual({ items: [], count: 0 })
  expect(await exported('', off)).toEqual([])
  await off.stop()

  await recall({ query: 'just before the end' })
  await service.restart()
  expect((await listed()).items[0]).toMatchObject({ query: 'just before the end' })
})
