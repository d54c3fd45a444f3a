import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clients, type McpClient } from '../support/mcp-client.ts'
import { startService } from '../support/start-service.ts'
import { idOf } from '../support/tools.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())

const names = [
  'agent_message_ack',
  'agent_message_inbox',
  'agent_message_send',
  'agent_peers',
  'document_add',
  'document_list',
  'knowledge_claims',
  'knowledge_entities',
  'knowledge_entity',
  'knowledge_evidence',
  'knowledge_hygiene_report',
  'knowledge_page',
  'knowledge_tree',
  'memory_forget',
  'memory_get',
  'memory_list',
  'memory_modify',
  'memory_search',
  'memory_store',
  'ontology_propose',
  'secret_exec',
  'secret_exec_status',
  'secret_list',
  'session_search',
  'source_list',
]

describe.each(Object.keys(clients) as (keyof typeof clients)[])('%s', (kind) => {
  let client: McpClient
  beforeAll(async () => {
    client = await clients[kind](service)
  })
  afterAll(() => client.close())

  const read = async (name: string, input: Record<string, unknown>) => {
    const { text, isError } = await client.call(name, input)
    expect(isError, text).toBe(false)
    return JSON.parse(text) as Record<string, unknown>
  }
  const store = async (content: string, more: object = {}) => {
    const stored = await client.call('memory_store', { content: `${content}, ${kind}`, ...more })
    expect(stored.isError, stored.text).toBe(false)
    return idOf(stored.text)
  }

  test('tools are listed with their inputs and their effects', async () => {
    const tools = await client.listTools()
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))

    expect(tools.map(({ name }) => name).toSorted()).toEqual(names)
    expect(hints['memory_search']).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints['memory_store']).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    const repeatable = tools.filter(({ annotations }) => annotations?.['idempotentHint'])
    expect(names.filter((name) => !repeatable.some((tool) => tool.name === name))).toEqual([
      'agent_message_send',
      'secret_exec',
    ])
    expect(hints['secret_exec']).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(hints['memory_forget']).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    const forget = tools.find(({ name }) => name === 'memory_forget')
    expect(forget?.inputSchema.required).toEqual(['id', 'reason'])
  })

  test('a stored memory is found at once in brief, and read in full by id', async () => {
    const words = 'the marmot hoards walnuts in the attic'
    const id = await store(`${words} ${'and so on '.repeat(60)}`)

    const found = await client.call('memory_search', { query: `marmot attic ${kind}` })
    expect(found.text).toContain(id)
    expect(found.text).toContain('…')
    const { results } = found.structured as { results: readonly Record<string, unknown>[] }
    expect(Object.keys(found.structured ?? {})).toEqual(['results'])
    expect(results.find((row) => row['id'] === id)).toEqual({
      id,
      type: 'fact',
      score: expect.any(Number),
      confidence: expect.any(Number),
      content: expect.stringMatching(/^the marmot hoards walnuts .{200,240}…$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    expect(await read('memory_get', { id })).toMatchObject({ id, agent_id: 'ada', version: 1 })
  })

  test('a search honors its limit and refuses an unnamed session', async () => {
    const session_key = `reach-${kind}`.replaceAll(' ', '-')
    const words = `a lighthouse of ${session_key}`
    const stored = await service.ask('POST /api/memory/remember', {
      agent: 'bob',
      body: { content: `bob sees ${words}` },
    })
    const bobs = String(stored.body['id'])
    const own = await store(`ada sees ${words}`)
    const said = await store(`ada paints ${words}`, { session_key })
    const found = async (more: object) => {
      const input = { query: words, include_recalled: true, session_key, ...more }
      const { structured } = await client.call('memory_search', input)
      const rows = structured?.['results'] as readonly { readonly id: string }[]
      return rows.map(({ id }) => id).filter((id) => [bobs, own, said].includes(id))
    }

    for (const more of [{}, { scope: 'global' }])
      expect((await found(more)).toSorted()).toEqual([bobs, own, said].toSorted())
    expect((await found({ scope: 'agent' })).toSorted()).toEqual([own, said].toSorted())
    expect(await found({ scope: 'session' })).toEqual([said])
    expect(await client.call('memory_search', { query: words, scope: 'session' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/session_key.*\(session_required\)$/),
    })
    const { body } = await service.ask(`GET /api/sessions/${session_key}/blackbox`, {
      agent: 'ada',
    })
    expect(body['events']).toContainEqual(
      expect.objectContaining({
        kind: 'context.recalled',
        payload: expect.objectContaining({ surface: 'mcp.memory_search', mode: 'explicit' }),
      }),
    )
  })

  test('a memory is changed, listed by its new type, and deleted', async () => {
    const id = await store('the heron waits by the weir')

    const changed = await read('memory_modify', { id, importance: 0.9, reason: 'a test' })
    expect(changed).toMatchObject({ id, status: 'updated', newVersion: 2 })
    const listed = await read('memory_list', { limit: 100 })
    expect(listed).toMatchObject({ count: expect.any(Number) })
    expect(JSON.stringify(listed)).toContain(id)
    expect(await read('memory_forget', { id, reason: 'a test' })).toMatchObject({
      status: 'deleted',
    })
    const { text, isError } = await client.call('memory_get', { id })
    expect({ text, isError }).toEqual({
      text: 'No memory has this id. Use an id from memory_search or memory_list. (not_found)',
      isError: true,
    })
  })

  test('a list is truncated and filtered by type on request', async () => {
    await store('a long way '.repeat(60), { type: 'route' })

    const { memories } = await read('memory_list', { type: 'route', limit: 1 })
    expect(memories).toEqual([expect.objectContaining({ type: 'route', truncated: true })])
    expect(JSON.stringify(memories).length).toBeLessThan(1000)
  })

  test('an earlier conversation is found by its words', async () => {
    const session_key = `session-${kind}`.replaceAll(' ', '-')
    const transcript = 'User: where is the ferry moored?\nAssistant: At the pontoon.'
    await store('about boats')
    await store('a talk about boats', { transcript, session_key })

    const found = await read('session_search', { query: 'ferry pontoon', session_key })
    expect(found).toMatchObject({ count: 1, hits: [{ excerpt: expect.stringContaining('ferry') }] })
  })

  test.each([
    [
      'memory_search',
      {},
      'memory_search was not called: query is required and must be a string that is not empty (The query, in plain words).',
    ],
    [
      'memory_forget',
      { id: 7, reason: '' },
      'memory_forget was not called: id must be a string that is not empty (The id of the memory); reason must be a string that is not empty (Reason, stored in the history).',
    ],
    [
      'memory_search',
      { query: 'x', scope: 'moon', limit: 'ten' },
      /limit must be a number \(.*\); scope must be one of global, agent, session \(/,
    ],
    [
      'memory_store',
      { content: 'x', tags: 7, hints: 'y', structured: 1 },
      /tags must be a string or a list whose items are each a string .*; hints must be a list whose items are each a string .*; structured must be an object/,
    ],
  ] as const)('wrong arguments of %s %j are explained to the model', async (name, input, text) => {
    expect(await client.call(name, input)).toMatchObject({
      isError: true,
      text: typeof text === 'string' ? text : expect.stringMatching(text),
    })
  })

  test('an unknown tool is a protocol error', async () => {
    await expect(client.call('memory_burn')).rejects.toThrow('Unknown tool: memory_burn')
  })

  test('a store call is acknowledged in two lines', async () => {
    const words = `the otter sleeps ${kind} ${'and so on '.repeat(30)}`
    const once = await client.call('memory_store', { content: words, type: 'habit' })
    const twice = await client.call('memory_store', { content: words, type: 'habit' })

    expect(once.text).toMatch(
      /^Remembered \(habit\): the otter sleeps .{60,100}…\nid [0-9a-f-]{36}$/,
    )
    expect(twice.text).toBe(once.text.replace('Remembered', 'Known already'))
  })

  test('a refusal of the route reaches the model in its own words', async () => {
    const id = await store('the scale ends at one')

    const { text, isError } = await client.call('memory_modify', {
      id,
      importance: 5,
      reason: 'no',
    })
    expect(isError).toBe(true)
    expect(text).toContain('importance must be a finite number between 0 and 1')
  })

  test('an argument cannot name another agent than the connection', async () => {
    const { text, isError } = await client.call('memory_search', { query: 'x', agent_id: 'bob' })

    expect({ text, isError }).toEqual({
      text: "this connection belongs to agent 'ada' (other_agent)",
      isError: true,
    })
  })
})
