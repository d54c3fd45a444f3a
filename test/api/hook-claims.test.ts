import { describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()

const { hook, newKey } = hooksOf(service)
const sessionOf = (key: string, agent = 'ada') => service.ask(`GET /api/sessions/${key}`, { agent })
const bypass = (key: string, enabled = true) =>
  service.ask(`POST /api/sessions/${key}/bypass`, { body: { enabled } })
const presentKeys = async () => {
  const { body } = await service.ask('GET /api/cross-agent/presence?include_self=1&limit=200')
  return (body['sessions'] as { readonly key: string }[]).map(({ key }) => key)
}
const unknown = { status: 404, body: { error: 'Session not found' } }
const required = {
  userMessage: 'where is the ladder',
  content: 'a ladder',
  query: 'ladder',
  summary: 'all was done',
  skillName: 'dig',
}
const claimingHooks = [
  'session-start',
  'user-prompt-submit',
  'remember',
  'recall',
  'pre-compaction',
  'compaction-complete',
  'session-checkpoint-extract',
  'skill-invocation',
]

describe('hook fields', () => {
  test('accepts both spellings, prefers that of the contract, and trims blanks', async () => {
    const [one, two, three] = [newKey(), newKey(), newKey()]

    await hook('session-start', { sessionKey: one, session_key: two })
    await hook('session-start', { session_key: ` session:${three} `, agent_id: 'bob' })

    expect((await sessionOf(one)).status).toBe(200)
    expect(await sessionOf(two)).toMatchObject(unknown)
    expect(await sessionOf(three)).toMatchObject(unknown)
    expect((await sessionOf(three, 'bob')).body).toMatchObject({ key: three, harness: 'codex' })
  })

  test('a valid path in the header takes precedence over the body', async () => {
    const [one, two] = [newKey(), newKey()]
    const start = (sessionKey: string, path: string) =>
      hook('session-start', { sessionKey }, { headers: { 'x-svc-runtime-path': path } })

    await start(one, 'legacy')
    await start(two, 'sideways')

    expect((await sessionOf(one)).body).toMatchObject({ runtimePath: 'legacy' })
    expect((await sessionOf(two)).body).toMatchObject({ runtimePath: 'plugin' })
  })

  test('reads the session from a header and the agent from its key', async () => {
    const sessionKey = 'agent:carol:main'

    const headers = { 'x-svc-session-key': sessionKey }
    await hook('user-prompt-submit', { userMessage: 'hello you' }, { headers, agent: '' })

    for (const key of [sessionKey, `session:${sessionKey}`])
      for (const agent of ['carol', ''])
        expect((await sessionOf(key, agent)).body).toMatchObject({ agentId: 'carol' })
    const prefixed = { sessionKey: `session:${sessionKey}`, runtimePath: 'legacy' }
    expect((await hook('session-start', prefixed, { agent: '' })).status).toBe(409)
  })

  test.each(['1', 1, 'TRUE', true])('accepts claimOnly %j', async (claimOnly) => {
    expect((await hook('session-start', { sessionKey: newKey(), claimOnly })).body).toEqual({
      sessionKnown: true,
    })
  })

  test.each(['0', 'yes', 2, null])('treats claimOnly %j as false', async (claimOnly) => {
    const { body } = await hook('session-start', { sessionKey: newKey(), claimOnly })

    expect(body).toMatchObject({ sessionKnown: false })
  })

  test('refuses an object as claimOnly', async () => {
    const { status, body } = await hook('session-start', { sessionKey: newKey(), claimOnly: {} })

    expect([status, body['code']]).toEqual([400, 'invalid_request'])
  })

  test('accepts any session key in a path', async () => {
    const sessionKey = 'a/b: ü%?#'

    await hook('session-start', { sessionKey })

    for (const key of [sessionKey, `session:${sessionKey}`])
      expect((await sessionOf(encodeURIComponent(key))).body).toMatchObject({ key: sessionKey })
  })

  test('refuses claimOnly without a session', async () => {
    expect(await hook('session-start', { claimOnly: true })).toMatchObject({
      status: 400,
      body: { error: 'claimOnly requires a session key' },
    })
  })
})

describe('claim', () => {
  test.each(claimingHooks)('%s claims the session only with a path', async (name) => {
    const [claimed, free] = [newKey(), newKey()]

    await hook(name, { ...required, sessionKey: claimed })
    await hook(name, { ...required, sessionKey: free, runtimePath: undefined })

    expect((await sessionOf(claimed)).body).toMatchObject({
      runtimePath: 'plugin',
      expiresAt: expect.any(String),
    })
    expect((await sessionOf(free)).body).not.toMatchObject({ expiresAt: expect.any(String) })
    await hook(name, { ...required, sessionKey: claimed, runtimePath: undefined })
    expect((await sessionOf(claimed)).body).toMatchObject({ runtimePath: 'plugin' })
  })

  test('a repeated end reports the first one', async () => {
    const [one, two] = [newKey(), newKey()]
    for (const sessionKey of [one, two]) await hook('session-start', { sessionKey })
    const again = { memoriesSaved: 0, skipped: true, duplicateSessionEnd: true }

    await hook('session-end', { sessionKey: one })
    await hook('session-end', { sessionId: two, runtimePath: undefined })

    const repeat = { sessionKey: one, runtimePath: 'legacy' }
    expect((await hook('session-end', repeat)).body).toEqual({ ...again, endedBy: 'plugin' })
    expect((await hook('session-end', { session_key: two })).body).toEqual({
      ...again,
      endedBy: 'codex',
    })
    await hook('session-start', { sessionKey: one, runtimePath: 'legacy' })
    expect((await sessionOf(one)).body).toMatchObject({ runtimePath: 'legacy' })
  })

  test('refuses another path with the fields of the contract', async () => {
    const sessionKey = newKey()
    await hook('session-start', { sessionKey })
    const refused = {
      error: 'session claimed by plugin path',
      code: 'session_claimed',
      claimedBy: 'plugin',
      duplicateRuntimePath: true,
    }
    const other = { ...required, sessionKey, runtimePath: 'legacy' }

    expect((await hook('user-prompt-submit', other)).body).toEqual({
      ...refused,
      inject: '',
      dynamicContext: '',
      memoryCount: 0,
    })
    expect((await hook('session-end', other)).body).toEqual({ ...refused, memoriesSaved: 0 })
    for (const name of ['remember', 'recall', 'compaction-complete'])
      expect((await hook(name, other)).body).toEqual(refused)
  })
})

describe('presence', () => {
  test('lists starts and prompts until their end, with or without a key', async () => {
    const [started, prompted] = [newKey(), newKey()]
    await hook('session-start', { sessionKey: started, project: '/p' })
    await hook('user-prompt-submit', { ...required, sessionKey: prompted })
    await hook('session-start', { project: '/p' })
    const keys = [`session:${started}`, `session:${prompted}`, 'ephemeral:ada:codex:/p']

    expect(await presentKeys()).toEqual(expect.arrayContaining(keys))
    expect((await service.ask('GET /api/cross-agent/presence?include_self=1')).body).toMatchObject({
      sessions: expect.arrayContaining([
        {
          key: keys[0],
          sessionKey: started,
          agentId: 'ada',
          harness: 'codex',
          project: '/p',
          runtimePath: 'plugin',
          provider: null,
          startedAt: expect.any(String),
          lastSeenAt: expect.any(String),
        },
      ]),
    })
    for (const sessionKey of [started, prompted]) await hook('session-end', { sessionKey })
    await hook('session-end', { project: '/p' })
    for (const key of await presentKeys()) expect(keys).not.toContain(key)
  })
})

describe('bypassed session', () => {
  test('tools and synthesis still run, and an end deletes the bypass', async () => {
    const sessionKey = newKey()
    await hook('session-start', { sessionKey })
    await service.ask('POST /api/memory/remember', { body: { content: 'The ladder is green.' } })
    expect((await bypass(sessionKey)).body).toEqual({ key: sessionKey, bypassed: true })

    const search = { name: 'memory_search', arguments: { query: 'ladder green' } }
    const reply = await service.ask('POST /mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: search },
      headers: { accept: 'application/json', 'x-svc-session-key': sessionKey },
    })
    expect(JSON.stringify(reply.body)).toContain('The ladder is green.')
    const { body } = await service.ask('POST /api/hooks/synthesis', { body: { sessionKey } })
    expect(body).toMatchObject({ model: 'projection' })

    const transcript = 'User: nothing of this is stored'
    expect((await hook('session-end', { sessionKey, transcript })).body).toEqual({
      memoriesSaved: 0,
      bypassed: true,
    })
    expect(await sessionOf(sessionKey)).toMatchObject(unknown)
    expect((await service.ask(`GET /api/sessions/${sessionKey}/transcript`)).status).toBe(404)
    await hook('session-start', { sessionKey })
    expect((await sessionOf(sessionKey)).body).toMatchObject({ bypassed: false })
  })

  test('a present session can be bypassed and resumed', async () => {
    const sessionKey = newKey()
    const prompt = { ...required, sessionKey, runtimePath: undefined }
    await hook('user-prompt-submit', prompt)

    await bypass(sessionKey)
    expect((await hook('user-prompt-submit', prompt)).body).toEqual({
      inject: '',
      dynamicContext: '',
      memoryCount: 0,
      bypassed: true,
    })
    await bypass(sessionKey, false)
    expect((await hook('user-prompt-submit', prompt)).body).toMatchObject({ engine: 'no-entity' })
  })

  test('validates required fields first', async () => {
    const sessionKey = newKey()
    await hook('session-start', { sessionKey })
    await bypass(sessionKey)

    expect((await hook('user-prompt-submit', { sessionKey })).status).toBe(400)
    expect((await hook('session-start', { sessionKey, runtimePath: 'legacy' })).status).toBe(409)
  })
})
