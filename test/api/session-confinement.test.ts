import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { callOf, listOperations, type Operation } from '../support/operations.ts'
import { type Ask, startService } from '../support/start-service.ts'
import { callTool } from '../support/tools.ts'

const service = await startService({
  config: {
    telemetry: { memorySearchQaEnabled: true },
    memory: { pipelineV2: { continuity: { promptInterval: 1 } } },
  },
})
afterAll(() => service.stop())

// Questions name the first word alone, so the others are never an echo of them.
const asked = 'quillwort'
const secret = 'umbrage'
const project = 'beta-garden'
const foreign = 'walk-in-beta'
const unplaced = 'walk-in-no-project'
const ended = 'walk-that-ended'
const hidden = [secret, project, foreign, unplaced, ended]

const owner = { agent: 'ada' }
const callers: readonly (readonly [string, Ask])[] = [
  ['a token of another project', { ...owner, scope: { project: 'alpha' } }],
  [
    'a token of the agent in another project',
    { ...owner, scope: { project: 'alpha', agent: 'ada' } },
  ],
]
const refusal = { status: 403, body: { error: "scope restricted to project 'alpha'" } }

const said = `We found ${asked} in ${secret}.`
const hook = (name: string, body: object, as: Ask = owner) =>
  service.ask(`POST /api/hooks/${name}`, { ...as, body: { harness: 'mine', ...body } })

await service.ask('POST /api/agents', { body: { name: 'ada', read_policy: 'shared' } })
for (const at of [{ sessionKey: foreign, project }, { sessionKey: unplaced }]) {
  const session = { ...at, runtimePath: 'plugin' }
  await hook('session-start', session)
  for (const text of [said, `Where else is ${asked} but in ${secret}?`])
    await hook('user-prompt-submit', { ...session, userMessage: text })
  await hook('remember', { ...session, content: `${said} ${at.sessionKey}`, pinned: true })
  await hook('recall', { ...session, query: asked })
  await hook('pre-compaction', { ...session, sessionContext: said })
  await hook('compaction-complete', { ...session, summary: said })
  await hook('user-prompt-submit', { ...session, userMessage: `More of ${secret}` })
}
const transcript = `User: where is ${asked}?\nAssistant: in ${secret}, as ever`
const { body: finished } = await hook('session-end', { sessionKey: ended, project, transcript })
const receipt = String(finished['transcriptCaptureJobId'])
await service.ask('POST /api/cross-agent/presence', {
  ...owner,
  body: { harness: 'mine', sessionKey: `${foreign}-too`, project },
})
await service.ask('POST /api/synthesis/trigger', { ...owner, body: { force: true } })
const summaries = () => service.ask('GET /api/sessions/summaries?limit=200', owner)
const listed = await vi.waitFor(
  async () => {
    const { body } = await summaries()
    expect(JSON.stringify(body)).toContain(ended)
    return body['summaries'] as readonly { id: string; session_key: string | null }[]
  },
  { timeout: 30_000 },
)
const node = String(listed.find(({ session_key: key }) => key === foreign)?.id)

const closed = (await listOperations(service)).filter(({ permission }) => permission !== 'open')
/** These answer in a stream that does not end, or answer every caller alike before they look. */
const aside = /follow-logs|synthesis-complete|mcp/
const reached = closed.filter(
  (operation) =>
    operation.permission !== 'admin' &&
    !operation['x-requires-unscoped'] &&
    !aside.test(operation.name),
)
const byKey = reached.filter(({ path }) => /\{(key|sessionKey)\}/.test(path))
const unkeyed = reached.filter(({ path }) => !path.includes('{'))

/** What operations ask for, but for a session. */
const fields = {
  harness: 'mine',
  query: asked,
  userMessage: asked,
  content: asked,
  summary: asked,
  skillName: 'dig',
  reason: 'a test',
  mode: 'preview',
  limit: 20,
  enabled: true,
  confirm: true,
  key: 'a test',
  feedback: {},
  ids: [randomUUID()],
  id: randomUUID(),
  patches: [{ id: randomUUID(), reason: 'a test', importance: 0.1 }],
}
const query = new URLSearchParams({ q: asked, query: asked, limit: '20', project: 'alpha' })

function ask(operation: Operation, as: Ask, { path = 'some', body = {} as object } = {}) {
  const call = `${callOf(operation, path)}?${query}`
  const sent = operation.method === 'GET' ? {} : { body: { ...fields, ...body } }
  return service.ask(call, { ...as, ...sent })
}

describe('there is something to keep apart', () => {
  const read = async (path: string) =>
    JSON.stringify((await service.ask(`GET ${path}`, owner)).body)

  test.each([
    ['/api/sessions', foreign],
    ['/api/sessions', unplaced],
    ['/api/sessions/summaries', ended],
    ['/api/sessions/blackbox', foreign],
    [`/api/checkpoints?project=${project}`, foreign],
    ['/api/telemetry/memory-search', secret],
    ['/api/analytics/continuity', ended],
    [`/api/sessions/${foreign}/transcript`, secret],
    [`/api/checkpoints/${foreign}`, secret],
    ['/api/memories', secret],
    [`/api/hooks/transcript-capture/${receipt}`, receipt],
  ])('%s shows its owner %s', async (path, text) => {
    expect(await read(path)).toContain(text)
  })

  test('the operations are many', () => {
    expect(byKey.length).toBeGreaterThan(5)
    expect(unkeyed.length).toBeGreaterThan(30)
  })
})

describe.each(callers)('to %s', (_, as) => {
  test.each(unkeyed)('$name shows nothing of the other project', async (operation) => {
    const { status, body } = await ask(operation, as)

    const text = JSON.stringify(body)
    for (const word of hidden) expect(text).not.toContain(word)
    expect(status).toBeLessThan(500)
  })

  test.each(reached)('$name is closed in a foreign session', async (operation) => {
    for (const session of [foreign, unplaced, ended]) {
      const headers = { 'x-svc-session-key': session }
      expect(await ask(operation, { ...as, headers })).toMatchObject(refusal)
      expect(
        await ask(operation, { ...as, headers: { 'x-svc-session-key': `session:${session}` } }),
      ).toMatchObject(refusal)
      if (operation.method !== 'GET')
        expect(await ask(operation, as, { body: { session_key: session } })).toMatchObject(refusal)
    }
  })

  test.each(byKey)('$name is closed to the name of a foreign session', async (operation) => {
    for (const path of [foreign, unplaced, ended])
      expect(await ask(operation, as, { path })).toMatchObject(refusal)
  })

  test.each([
    ['POST /api/hooks/session-start', { harness: 'mine', sessionKey: foreign, source: 'resume' }],
    ['POST /api/hooks/session-start', { harness: 'mine', parentSessionKey: foreign }],
    ['POST /api/hooks/session-start', { harness: 'mine', parentID: foreign }],
    ['POST /api/hooks/session-end', { harness: 'mine', sessionId: foreign, transcript }],
    ['POST /api/hooks/session-end', { harness: 'mine', sessionId: ended }],
    ['POST /api/memory/remember', { content: 'x1', transcript, sourceId: foreign }],
    ['POST /api/memory/remember', { content: 'x2', transcript, sessionId: foreign }],
    ['POST /api/memory/remember', { content: 'x3', transcript, sessionKey: foreign }],
    ['POST /api/sessions/search', { query: asked, sessionKey: foreign }],
    ['POST /api/sessions/search', { query: asked, currentSessionKey: foreign }],
    ['POST /api/memory/recall', { query: asked, sessionKey: foreign, within: 'session' }],
  ])('%s is closed with %j', async (call, body) => {
    expect(await service.ask(call, { ...as, body })).toMatchObject(refusal)
  })

  test('a memory is not kept where its transcript is refused', async () => {
    const { body } = await service.ask('GET /api/memories?limit=200', owner)

    expect(JSON.stringify(body)).not.toMatch(/"content":"x\d"/)
  })

  test('a tool is closed in a foreign session as its route is', async () => {
    for (const name of ['memory_search', 'session_search']) {
      const input = { query: asked, session_key: foreign }
      const told = await callTool(service, { name, arguments: input }, as)
      expect(told).toContain("scope restricted to project 'alpha'")
      expect(told).not.toContain(secret)
    }
  })

  test.each([
    ['GET', `/api/hooks/transcript-capture/${receipt}`, undefined],
    ['POST', '/api/sessions/summaries/expand', { id: node }],
  ])('%s %s answers as for none', async (method, path, body) => {
    expect((await service.ask(`${method} ${path}`, { ...as, body })).status).toBe(404)
  })

  test('a session begins without what is of another project', async () => {
    for (const more of [{}, { source: 'resume' }, { harnessAgentId: 'helper' }]) {
      const sessionKey = `agent:ada:subagent:${randomUUID()}`
      const { status, body } = await hook('session-start', { sessionKey, ...more }, as)
      expect(status).toBe(200)
      for (const word of hidden) expect(JSON.stringify(body)).not.toContain(word)
    }
  })
})

describe('a session that is not seen before', () => {
  const as = { ...owner, scope: { project: 'alpha' } }

  test('is stored under the project of the token, and stays open to it', async () => {
    const sessionKey = randomUUID()
    const session = { sessionKey, runtimePath: 'plugin' }
    const calls: readonly (readonly [string, object])[] = [
      ['session-start', {}],
      ['user-prompt-submit', { userMessage: 'dig in the garden' }],
      ['recall', { query: asked }],
      ['remember', { content: `the garden of ${sessionKey}` }],
      ['pre-compaction', {}],
      ['compaction-complete', { summary: `dug in ${sessionKey}` }],
    ]
    for (const [name, body] of calls)
      expect([name, (await hook(name, { ...session, ...body }, as)).status]).toEqual([name, 200])

    const read = await service.ask(`GET /api/sessions/${sessionKey}`, as)
    expect(read).toMatchObject({ status: 200, body: { project: 'alpha' } })
    const { body } = await service.ask('GET /api/sessions', as)
    expect(JSON.stringify(body)).toContain(sessionKey)
    const end = { ...session, transcript: 'User: dig in the garden' }
    expect((await hook('session-end', end, as)).body).toMatchObject({ queued: true })
    expect((await hook('session-end', end, as)).body).toMatchObject({ duplicateSessionEnd: true })
  })

  test('is present under the project of the token', async () => {
    const body = { harness: 'mine', sessionKey: randomUUID() }
    const appear = (more: object) =>
      service.ask('POST /api/cross-agent/presence', { ...as, body: { ...body, ...more } })

    expect((await appear({})).body['presence']).toMatchObject({ project: 'alpha' })
    expect(await appear({ project })).toMatchObject(refusal)
  })

  test('that ends at once is told of its end once more', async () => {
    const session = { sessionKey: randomUUID() }

    expect((await hook('session-end', session, as)).status).toBe(200)
    expect((await hook('session-end', session, as)).body).toMatchObject({ skipped: true })
  })
})

test('a stored project stays, whoever names another one', async () => {
  const session = { sessionKey: foreign, runtimePath: 'plugin', project: 'gamma' }
  await hook('user-prompt-submit', { ...session, userMessage: 'dig elsewhere' })
  await hook('session-end', { ...session, transcript: 'User: dig elsewhere again' })

  const { body } = await service.ask('POST /api/sessions/search', {
    ...owner,
    body: { query: 'elsewhere', project },
  })
  expect(JSON.stringify(body)).toContain(foreign)
  const checkpoints = await service.ask(`GET /api/checkpoints/${foreign}`, owner)
  for (const one of checkpoints.body['checkpoints'] as readonly { project: string }[])
    expect(one.project).toBe(project)
})
