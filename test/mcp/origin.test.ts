import { afterAll, expect, onTestFinished, test } from 'vitest'
import { clients } from '../support/mcp-client.ts'
import { type Ask, startService } from '../support/start-service.ts'
import { callTool, idOf } from '../support/tools.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())

const inProject = (project: string) => ({ 'x-svc-project': encodeURIComponent(project) })

async function call(name: string, input: object, as: Ask = {}) {
  const ask = { agent: 'ada', ...as }
  const { result } = JSON.parse(await callTool(service, { name, arguments: input }, ask))
  const [{ text }] = result.content
  return {
    text: String(text),
    isError: result.isError === true,
    rows: result.structuredContent?.results,
  }
}

async function store(input: object, as: Ask = {}) {
  const { text, isError } = await call(
    'memory_store',
    { content: `stored ${JSON.stringify([input, as])}`, ...input },
    as,
  )
  expect(isError, text).toBe(false)
  return (await service.ask(`GET /api/memory/${idOf(text)}`, { agent: 'ada' })).body
}

async function begin(sessionKey: string, agentId: string, project: string) {
  const body = { harness: 'codex', sessionKey, agentId, project, runtimePath: 'plugin' }
  await service.ask('POST /api/hooks/session-start', { body })
}
await begin('mows', 'ada', '/meadow')
await begin('digs', 'bob', '/secret')

test.each<[string, object, Ask, string | null]>([
  ['nothing', {}, {}, null],
  ['the header', {}, { headers: inProject('/home/zoë/wald & 100%') }, '/home/zoë/wald & 100%'],
  ['a header that is not encoded', {}, { headers: { 'x-svc-project': '/a/100%' } }, '/a/100%'],
  ['the session', { session_key: 'mows' }, { headers: inProject('/else') }, '/meadow'],
  ['the session of the connection', {}, { headers: { 'x-svc-session-key': 'mows' } }, '/meadow'],
  ['no session of another agent', { session_key: 'digs' }, { headers: inProject('/own') }, '/own'],
  [
    'the argument',
    { project: '/said', session_key: 'mows' },
    { headers: inProject('/x') },
    '/said',
  ],
  ['the token', {}, { headers: inProject('/else'), scope: { project: '/only' } }, '/only'],
])('a stored memory belongs to the project of: %s', async (_, input, as, project) => {
  expect(await store(input, as)).toMatchObject({ project })
})

test('a stored memory has the session and the harness of the call', async () => {
  expect(await store({ session_key: 'mows' })).toMatchObject({ session_id: 'mows' })
  const named = async (name: string) =>
    (await store({}, { headers: { 'x-svc-harness': name } }))['who']
  expect(await named('claude-code')).toBe('claude-code')
  expect(await named('codex-mcp-client')).toBe('codex')
  expect(await named('gemini-cli-mcp-client')).toBe('gemini')
  expect(await named('My <Own> Tool')).toBe('my-own-tool')
  expect((await store({}))['who']).toBe('daemon')
})

test('a stored memory gets the only session that its harness runs in the project', async () => {
  const from = (harness: string, project: string) => ({
    headers: { ...inProject(project), 'x-svc-harness': harness },
  })
  await begin('mends', 'ada', '/barn')

  expect(await store({ tags: 'one' }, from('codex', '/barn'))).toMatchObject({
    session_id: 'mends',
  })
  expect(await store({}, from('gemini', '/barn'))).toMatchObject({ session_id: null })
  expect(await store({}, from('codex', '/secret'))).toMatchObject({ session_id: null })
  const named = await store({ session_key: 'other' }, from('codex', '/barn'))
  expect(named).toMatchObject({ session_id: 'other' })
  await begin('paints', 'ada', '/barn')
  expect(await store({ tags: 'two' }, from('codex', '/barn'))).toMatchObject({ session_id: null })
})

test('a search finds no words of the sessions that may be the calling one', async () => {
  const headers = { ...inProject('/loft'), 'x-svc-harness': 'codex' }
  const about = { harness: 'codex', agentId: 'ada', project: '/loft', runtimePath: 'plugin' }
  const submit = (sessionKey: string, userMessage: string) =>
    service.ask('POST /api/hooks/user-prompt-submit', {
      body: { ...about, sessionKey, userMessage },
    })
  await submit('asks', 'where is the quokka?')
  await submit('asks-too', 'Wo wohnt das Quokka?')
  const search = async (name: string, as: Ask = { headers }) =>
    (await call(name, { query: 'quokka' }, as)).text

  expect(await search('memory_search')).toContain('Nothing is remembered')
  expect(await search('session_search')).not.toContain('asks')
  expect(await search('memory_search', {})).toContain('transcript:asks')
  const body = { ...about, sessionKey: 'asks-too', reason: 'session_shutdown' }
  await service.ask('POST /api/hooks/session-end', { body })
  expect(await search('memory_search')).toContain('transcript:asks-too')
})

test.each(['newest over stdio', 'earlier over stdio'] as const)(
  '%s: the working directory is the project, and the client is the harness',
  async (kind) => {
    const client = await clients[kind](service)
    onTestFinished(() => client.close())
    const { text } = await client.call('memory_store', { content: `from ${kind}` })

    const { body } = await service.ask(`GET /api/memory/${idOf(text)}`, { agent: 'ada' })
    expect(body).toMatchObject({ project: process.cwd(), who: 'test' })
  },
)

test('refuses a control character in the project', async () => {
  expect(await call('memory_list', {}, { headers: inProject('/a\u001Bb') })).toMatchObject({
    isError: true,
    text: expect.stringContaining('x-svc-project must not contain control'),
  })
})

test('a search ranks memories of the project higher and excludes no other', async () => {
  const ids = new Map<string, string>()
  for (const project of ['/north', '/south', '/west']) {
    const { text } = await call('memory_store', {
      content: `the pump of ${project.slice(1)} leaks`,
      project,
    })
    ids.set(project, idOf(text))
  }
  const first = async (as: Ask, input: object = {}) => {
    const { rows } = await call('memory_search', { query: 'which pump leaks', ...input }, as)
    const found = rows.map(({ id }: { id: string }) => id)
    expect([...ids.values()].filter((id) => !found.includes(id))).toEqual([])
    return found[0]
  }

  for (const [project, id] of ids) {
    expect(await first({ headers: inProject(project) })).toBe(id)
    await begin(`in-${project.slice(1)}`, 'ada', project)
    const session = { session_key: `in-${project.slice(1)}`, include_recalled: true }
    expect(await first({}, session)).toBe(id)
    const body = { query: 'which pump leaks' }
    const request = { agent: 'ada', body, headers: inProject(project) }
    const { results } = (await service.ask('POST /api/memory/recall', request)).body as {
      results: readonly { readonly id: string }[]
    }
    expect(results[0]?.id).toBe(id)
  }
})
