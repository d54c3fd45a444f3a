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

// Queries contain only the first word, so the others never echo a query.
const queryWord = 'quillwort'
const secret = 'umbrage'
const project = 'beta-garden'
const foreignKey = 'walk-in-beta'
const projectlessKey = 'walk-in-no-project'
const endedKey = 'walk-that-ended'
const hidden = [secret, project, foreignKey, projectlessKey, endedKey]

const owner = { agent: 'ada' }
const callers: readonly (readonly [string, Ask])[] = [
  ['a token of another project', { ...owner, scope: { project: 'alpha' } }],
  [
    'a token of the agent in another project',
    { ...owner, scope: { project: 'alpha', agent: 'ada' } },
  ],
]
const refusal = { status: 403, body: { error: "scope restricted to project 'alpha'" } }

const text = `We found ${queryWord} in ${secret}.`
const hook = (name: string, body: object, as: Ask = owner) =>
  service.ask(`POST /api/hooks/${name}`, { ...as, body: { harness: 'mine', ...body } })

await service.ask('POST /api/agents', { body: { name: 'ada', read_policy: 'shared' } })
for (const at of [{ sessionKey: foreignKey, project }, { sessionKey: projectlessKey }]) {
  const session = { ...at, runtimePath: 'plugin' }
  await hook('session-start', session)
  for (const userMessage of [text, `Where else is ${queryWord} but in ${secret}?`])
    await hook('user-prompt-submit', { ...session, userMessage })
  await hook('remember', { ...session, content: `${text} ${at.sessionKey}`, pinned: true })
  await hook('recall', { ...session, query: queryWord })
  await hook('pre-compaction', { ...session, sessionContext: text })
  await hook('compaction-complete', { ...session, summary: text })
  await hook('user-prompt-submit', { ...session, userMessage: `More of ${secret}` })
}
const transcript = `User: where is ${queryWord}?\nAssistant: in ${secret}, as ever`
const { body: finished } = await hook('session-end', { sessionKey: endedKey, project, transcript })
const receipt = String(finished['transcriptCaptureJobId'])
await service.ask('POST /api/cross-agent/presence', {
  ...owner,
  body: { harness: 'mine', sessionKey: `${foreignKey}-too`, project },
})
await service.ask('POST /api/synthesis/trigger', { ...owner, body: { force: true } })
const summaries = () => service.ask('GET /api/sessions/summaries?limit=200', owner)
const listed = await vi.waitFor(
  async () => {
    const { body } = await summaries()
    expect(JSON.stringify(body)).toContain(endedKey)
    return body['summaries'] as readonly { id: string; session_key: string | null }[]
  },
  { timeout: 30_000 },
)
const node = String(listed.find(({ session_key: key }) => key === foreignKey)?.id)

const guarded = (await listOperations(service)).filter(({ permission }) => permission !== 'open')
/** Operations with an endless stream, or with the same reply for every caller. */
const excluded = /follow|synthesis-complete|mcp/
const tested = guarded.filter(
  (operation) =>
    operation.permission !== 'admin' &&
    !operation['x-requires-unscoped'] &&
    !excluded.test(operation.name),
)
const byKey = tested.filter(({ path }) => /\{(key|sessionKey)\}/.test(path))
const unkeyed = tested.filter(({ path }) => !path.includes('{'))

/** The gateway needs a permission of its own, and answers in another shape. */
const isGateway = ({ permission }: Operation) => permission === 'gateway'
const refusalOf = (operation: Operation) => {
  const { status, body } = refusal
  const error = operation.path.startsWith('/v1/') ? { message: body.error } : body.error
  return { status, body: { error } }
}

/** Required fields of the operations, except the session. */
const fields = {
  harness: 'mine',
  query: queryWord,
  userMessage: queryWord,
  content: queryWord,
  summary: queryWord,
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
const query = new URLSearchParams({ q: queryWord, query: queryWord, limit: '20', project: 'alpha' })

function ask(operation: Operation, as: Ask, { path = 'some', body = {} as object } = {}) {
  const call = `${callOf(operation, path)}?${query}`
  const input = operation.method === 'GET' ? {} : { body: { ...fields, ...body } }
  const token: Ask = isGateway(operation) ? { role: 'admin', permissions: ['gateway'] } : {}
  return service.ask(call, { ...as, ...token, ...input })
}

describe('stored content of another project', () => {
  const read = async (path: string) =>
    JSON.stringify((await service.ask(`GET ${path}`, owner)).body)

  test.each([
    ['/api/sessions', foreignKey],
    ['/api/sessions', projectlessKey],
    ['/api/sessions/summaries', endedKey],
    ['/api/sessions/blackbox', foreignKey],
    [`/api/checkpoints?project=${project}`, foreignKey],
    ['/api/telemetry/memory-search', secret],
    ['/api/analytics/continuity', endedKey],
    [`/api/sessions/${foreignKey}/transcript`, secret],
    [`/api/checkpoints/${foreignKey}`, secret],
    ['/api/memories', secret],
    [`/api/hooks/transcript-capture/${receipt}`, receipt],
  ])('%s returns %s to its owner', async (path, text) => {
    expect(await read(path)).toContain(text)
  })

  test('covers the operations', () => {
    expect(byKey.length).toBeGreaterThan(5)
    expect(unkeyed.length).toBeGreaterThan(30)
  })
})

describe.each(callers)('for %s', (_, as) => {
  test.each(unkeyed)('$name returns nothing of the other project', async (operation) => {
    const { status, body } = await ask(operation, as)

    const text = JSON.stringify(body)
    for (const word of hidden) expect(text).not.toContain(word)
    expect(status).toBeLessThan(500)
  })

  test.each(tested)('$name refuses a foreignKey session', async (operation) => {
    for (const session of [foreignKey, projectlessKey, endedKey]) {
      const headers = { 'x-svc-session-key': session }
      expect(await ask(operation, { ...as, headers })).toMatchObject(refusalOf(operation))
      expect(
        await ask(operation, { ...as, headers: { 'x-svc-session-key': `session:${session}` } }),
      ).toMatchObject(refusalOf(operation))
      if (operation.method !== 'GET')
        expect(await ask(operation, as, { body: { session_key: session } })).toMatchObject(
          refusalOf(operation),
        )
    }
  })

  test.each(byKey)('$name refuses the key of a foreignKey session', async (operation) => {
    for (const path of [foreignKey, projectlessKey, endedKey])
      expect(await ask(operation, as, { path })).toMatchObject(refusal)
  })

  test.each([
    [
      'POST /api/hooks/session-start',
      { harness: 'mine', sessionKey: foreignKey, source: 'resume' },
    ],
    ['POST /api/hooks/session-start', { harness: 'mine', parentSessionKey: foreignKey }],
    ['POST /api/hooks/session-start', { harness: 'mine', parentID: foreignKey }],
    ['POST /api/hooks/session-end', { harness: 'mine', sessionId: foreignKey, transcript }],
    ['POST /api/hooks/session-end', { harness: 'mine', sessionId: endedKey }],
    ['POST /api/memory/remember', { content: 'x1', transcript, sourceId: foreignKey }],
    ['POST /api/memory/remember', { content: 'x2', transcript, sessionId: foreignKey }],
    ['POST /api/memory/remember', { content: 'x3', transcript, sessionKey: foreignKey }],
    ['POST /api/sessions/search', { query: queryWord, sessionKey: foreignKey }],
    ['POST /api/sessions/search', { query: queryWord, currentSessionKey: foreignKey }],
    ['POST /api/memory/recall', { query: queryWord, sessionKey: foreignKey, within: 'session' }],
  ])('%s refuses %j', async (call, body) => {
    expect(await service.ask(call, { ...as, body })).toMatchObject(refusal)
  })

  test('no memory is stored when its transcript is refused', async () => {
    const { body } = await service.ask('GET /api/memories?limit=200', owner)

    expect(JSON.stringify(body)).not.toMatch(/"content":"x\d"/)
  })

  test('a tool refuses a foreignKey session like its route', async () => {
    for (const name of ['memory_search', 'session_search']) {
      const input = { query: queryWord, session_key: foreignKey }
      const output = await callTool(service, { name, arguments: input }, as)
      expect(output).toContain("scope restricted to project 'alpha'")
      expect(output).not.toContain(secret)
    }
  })

  test.each([
    ['GET', `/api/hooks/transcript-capture/${receipt}`, undefined],
    ['POST', '/api/sessions/summaries/expand', { id: node }],
  ])('%s %s returns 404', async (method, path, body) => {
    expect((await service.ask(`${method} ${path}`, { ...as, body })).status).toBe(404)
  })

  test('a session start contains nothing of another project', async () => {
    for (const more of [{}, { source: 'resume' }, { harnessAgentId: 'helper' }]) {
      const sessionKey = `agent:ada:subagent:${randomUUID()}`
      const { status, body } = await hook('session-start', { sessionKey, ...more }, as)
      expect(status).toBe(200)
      for (const word of hidden) expect(JSON.stringify(body)).not.toContain(word)
    }
  })
})

describe('a new session', () => {
  const as = { ...owner, scope: { project: 'alpha' } }

  test('is stored under the project of the token, which retains access', async () => {
    const sessionKey = randomUUID()
    const session = { sessionKey, runtimePath: 'plugin' }
    const calls: readonly (readonly [string, object])[] = [
      ['session-start', {}],
      ['user-prompt-submit', { userMessage: 'dig in the garden' }],
      ['recall', { query: queryWord }],
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

  test('a repeated end is recognized', async () => {
    const session = { sessionKey: randomUUID() }

    expect((await hook('session-end', session, as)).status).toBe(200)
    expect((await hook('session-end', session, as)).body).toMatchObject({ skipped: true })
  })
})

test('another project name does not overwrite the stored one', async () => {
  const session = { sessionKey: foreignKey, runtimePath: 'plugin', project: 'gamma' }
  await hook('user-prompt-submit', { ...session, userMessage: 'dig elsewhere' })
  await hook('session-end', { ...session, transcript: 'User: dig elsewhere again' })

  const { body } = await service.ask('POST /api/sessions/search', {
    ...owner,
    body: { query: 'elsewhere', project },
  })
  expect(JSON.stringify(body)).toContain(foreignKey)
  const checkpoints = await service.ask(`GET /api/checkpoints/${foreignKey}`, owner)
  for (const checkpoint of checkpoints.body['checkpoints'] as readonly { project: string }[])
    expect(checkpoint.project).toBe(project)
})
