import { afterAll, describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const { hook, newKey } = hooksOf(service)
const remember = async (content: string) =>
  (await service.ask('POST /api/memory/remember', { body: { content } })).body['id']
const transcript = 'User: where is the ladder?\nAssistant: The ladder leans on the barn.'

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const noOps = {
  'session-start': { inject: '', stableSystemPrompt: '', dynamicContext: '', memories: [] },
  'user-prompt-submit': { inject: '', dynamicContext: '', memoryCount: 0 },
  'session-end': { memoriesSaved: 0 },
  remember: { success: true, memories: [] },
  recall: {
    results: [],
    memories: [],
    count: 0,
    query: 'ladder',
    method: 'hybrid',
    meta: { totalReturned: 0, hasSupplementary: false, noHits: true },
    message: 'No matching memories found.',
  },
  'pre-compaction': { summaryPrompt: '', guidelines: '', instructions: '' },
  'compaction-complete': { success: true },
  'session-checkpoint-extract': { skipped: true },
  'skill-invocation': { recorded: false },
} as const
const names = Object.keys(noOps) as (keyof typeof noOps)[]
const required = {
  userMessage: 'where is the ladder',
  content: 'never stored',
  query: 'ladder',
  summary: 'all was done',
  skillName: 'dig',
}

describe.each(names)('%s', (name) => {
  test('refuses a missing harness and an invalid body', async () => {
    const { status, body } = await hook(name, { harness: ' ', sessionKey: newKey() })

    expect(status).toBe(400)
    expect(body['error']).toMatch(/^harness (is|and .*) (required|are required)$/)
    expect(await hook(name, {}, { body: '[' })).toMatchObject({
      status: 400,
      body: { error: 'invalid request body' },
    })
  })

  test('refuses another path with the fields of an empty reply', async () => {
    const sessionKey = newKey()
    const first = name === 'session-end' ? 'session-start' : name
    expect((await hook(first, { ...required, sessionKey: `session:${sessionKey}` })).status).toBe(
      200,
    )
    const headers = { 'x-svc-runtime-path': 'legacy' }

    const { status, body } = await hook(name, { ...required, sessionKey }, { headers })

    expect(status).toBe(409)
    expect(body).toMatchObject({ error: 'session claimed by plugin path', claimedBy: 'plugin' })
    expect(body['duplicateRuntimePath']).toBe(true)
    const withoutNoOp = ['remember', 'recall', 'compaction-complete'].includes(name)
    if (withoutNoOp) expect(body).not.toHaveProperty('success')
    else expect(body).toMatchObject(noOps[name])
  })

  test('has no effect for an internal call or a bypassed session', async () => {
    const sessionKey = newKey()
    const headers = { 'x-svc-no-hooks': '1' }
    const agent = 'ghost'
    const internal = await hook(name, { ...required, sessionKey }, { headers, agent })
    expect(internal.status).toBe(200)
    expect(internal.body).toEqual({ ...noOps[name], ...(name === 'recall' && { internal: true }) })
    for (const trace of [
      `sessions/${sessionKey}`,
      `sessions/${sessionKey}/transcript`,
      'agents/ghost',
    ])
      expect((await service.ask(`GET /api/${trace}`, { agent })).status).toBe(404)

    await hook('session-start', { sessionKey })
    await service.ask(`POST /api/sessions/${sessionKey}/bypass`, { body: { enabled: true } })
    const bypassed = await hook(name, { ...required, sessionKey })
    expect(bypassed.status).toBe(200)
    expect(bypassed.body).toEqual({ ...noOps[name], bypassed: true })
  })

  test('refuses a token of another project', async () => {
    const body = { ...required, sessionKey: newKey(), project: '/q' }
    const scope = { project: '/p' }

    expect((await hook(name, body, { scope, role: 'agent' })).status).toBe(
      name === 'recall' ? 200 : 403,
    )
  })
})

describe('session-start', () => {
  test('returns memories once and claims the session', async () => {
    const sessionKey = newKey()
    const id = await remember('The ladder leans on the barn.')

    const { body } = await hook('session-start', { sessionKey, project: '/p' })

    expect(body).toMatchObject({ sessionKnown: false, contextVersion: 1 })
    expect(body['memories']).toContainEqual(
      expect.objectContaining({ id, truncated: false, type: 'fact', source_type: 'manual' }),
    )
    expect(body['inject']).toContain('<svc-memory-context>')
    expect(body['contextHash']).toMatch(/^[0-9a-f]{64}$/)
    const { body: session } = await service.ask(`GET /api/sessions/${sessionKey}`)
    expect(session).toEqual({
      key: sessionKey,
      agentId: 'ada',
      runtimePath: 'plugin',
      bypassed: false,
      harness: 'codex',
      project: '/p',
      provider: null,
      claimedAt: expect.stringMatching(isoTime),
      expiresAt: expect.stringMatching(isoTime),
    })
    expect((await service.ask('GET /api/sessions')).body['sessions']).toContainEqual(session)
    const again = await hook('session-start', { sessionKey, project: '/p' })
    expect(again.body).toMatchObject({ sessionKnown: true, memories: [] })
  })

  test('a claim outlasts a restart', async () => {
    const sessionKey = newKey()
    await hook('session-start', { sessionKey })
    const expiresAt = async () =>
      String((await service.ask(`GET /api/sessions/${sessionKey}`)).body['expiresAt'])
    const before = await expiresAt()
    await service.restart()

    const headers = { 'x-svc-runtime-path': 'plugin' }
    const again = { sessionKey, claimOnly: true, runtimePath: undefined }
    const reply = await hook('session-start', again, { headers })
    expect(reply.body).toEqual({ sessionKnown: true })
    expect((await expiresAt()) > before).toBe(true)
    expect(
      (await hook('user-prompt-submit', { sessionKey, userMessage: 'hm?' })).body,
    ).toMatchObject({
      sessionKnown: true,
    })
    expect((await hook('session-start', { sessionKey, runtimePath: 'legacy' })).status).toBe(409)
  })

  test('refuses claimOnly without a path', async () => {
    const body = { sessionKey: newKey(), claimOnly: true, runtimePath: undefined }

    expect(await hook('session-start', body)).toMatchObject({
      status: 400,
      body: { error: 'claimOnly requires a runtime path' },
    })
  })

  test('refuses readers, and sessions of an agent outside the token', async () => {
    expect((await hook('session-start', {}, { role: 'readonly' })).status).toBe(403)
    expect(
      (
        await hook(
          'session-start',
          { sessionKey: 'agent:bob:main' },
          { role: 'agent', scope: { agent: 'ada' } },
        )
      ).status,
    ).toBe(403)
  })
})

describe('user-prompt-submit', () => {
  test('returns the time, records the prompt and injects nothing for unknown names', async () => {
    const sessionKey = newKey()
    const prompt = { sessionKey, userPrompt: 'Where does the ladder lean?' }

    const { body } = await hook('user-prompt-submit', prompt)

    expect(body).toMatchObject({ inject: '', dynamicContext: '', memoryCount: 0 })
    expect(body).toMatchObject({ engine: 'no-entity', sessionKnown: false })
    expect(body['clockContext']).toMatch(/^Current date\/time: \S+[+-]\d\d:\d\d \(\S+\)$/)
    expect(
      (await hook('user-prompt-submit', { ...prompt, userPrompt: 'Thanks!' })).body,
    ).toMatchObject({
      engine: 'low-signal',
      inject: '',
      sessionKnown: true,
    })
    const transcript = await service.ask(`GET /api/sessions/${sessionKey}/transcript`)
    expect(transcript.body['content']).toBe('User: Where does the ladder lean?\nUser: Thanks!')
  })

  test('refuses an empty prompt and more than eight concurrent calls', async () => {
    const error = 'harness and userMessage or userPrompt are required'
    expect(await hook('user-prompt-submit', { sessionKey: newKey() })).toMatchObject({
      status: 400,
      body: { error },
    })
    const prompts = Array.from({ length: 60 }, () =>
      hook('user-prompt-submit', { sessionKey: newKey(), userMessage: 'all at once' }),
    )

    const replies = await Promise.all(prompts)

    expect([...new Set(replies.map(({ status }) => status))].toSorted()).toEqual([200, 503])
    for (const { status, body, headers } of replies.filter(({ status }) => status !== 200)) {
      expect({ status, error: body['error'] }).toEqual({
        status: 503,
        error: expect.stringContaining('Retry shortly'),
      })
      expect(headers.get('retry-after')).toBe('1')
    }
    const after = await hook('user-prompt-submit', {
      sessionKey: newKey(),
      userMessage: 'hello you',
    })
    expect(after.status).toBe(200)
  })
})

describe('session-end', () => {
  test('captures the transcript once for repeated ends', async () => {
    const sessionKey = newKey()
    await hook('session-start', { sessionKey })
    const end = () => hook('session-end', { sessionKey, transcript, reason: 'session_shutdown' })

    const ends = await Promise.all(Array.from({ length: 8 }, end))

    expect(ends.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    const [first, ...more] = ends.filter(({ body }) => body['queued'])
    expect(more).toEqual([])
    expect(ends.filter(({ body }) => body['duplicateSessionEnd'])).toHaveLength(7)
    const job = String(first?.body['transcriptCaptureJobId'])
    await expect
      .poll(
        async () => (await service.ask(`GET /api/hooks/transcript-capture/${job}`)).body['status'],
        {
          timeout: 30_000,
        },
      )
      .toBe('completed')
    expect((await service.ask(`GET /api/sessions/${sessionKey}`)).status).toBe(404)
    expect((await hook('session-start', { sessionKey, runtimePath: 'legacy' })).status).toBe(200)
  })

  test('refuses an invalid time, and a transcript of a reader', async () => {
    expect(
      await hook('session-end', { sessionKey: newKey(), capturedAt: 'yesterday' }),
    ).toMatchObject({
      status: 400,
      body: { error: 'capturedAt must be an ISO timestamp' },
    })
    const role = 'readonly'
    expect((await hook('session-end', { sessionKey: newKey(), transcript }, { role })).status).toBe(
      403,
    )
    expect((await hook('session-end', { sessionKey: newKey() }, { role })).body).toEqual({
      memoriesSaved: 0,
      queued: false,
    })
  })
})
