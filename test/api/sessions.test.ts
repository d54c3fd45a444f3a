import { afterAll, describe, expect, test } from 'vitest'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const appear = (sessionKey: string, more: object = {}, ask: Ask = {}) =>
  service.ask('POST /api/cross-agent/presence', {
    body: { harness: 'codex', sessionKey, runtimePath: 'plugin', ...more },
    ...ask,
  })
const keys = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
  (body['sessions'] as { readonly sessionKey?: string; readonly key: string }[]).map(
    ({ sessionKey, key }) => sessionKey ?? key,
  )

describe('presence', () => {
  test('lists present sessions until they leave', async () => {
    const { status, body } = await appear('session:here', { project: '/p', provider: 'x' })

    expect(status).toBe(200)
    expect(body).toEqual({
      presence: {
        key: 'session:here',
        sessionKey: 'here',
        agentId: 'ada',
        project: '/p',
        harness: 'codex',
        runtimePath: 'plugin',
        provider: 'x',
        startedAt: expect.any(String),
        lastSeenAt: expect.any(String),
      },
    })
    const listPresences = (query: string, ask: Ask) =>
      service.ask(`GET /api/cross-agent/presence?${query}`, ask)
    await appear('colleague', {}, { agent: 'bob' })
    expect(keys(await listPresences('project=/p&include_self=1', {}))).toEqual(['here'])
    expect(keys(await listPresences('', {}))).not.toContain('here')
    expect(keys(await listPresences('include_self=1', { agent: 'bob' }))).toContain('colleague')
    expect((await service.ask('DELETE /api/cross-agent/presence/here')).body).toEqual({
      removed: true,
    })
    expect((await service.ask('DELETE /api/cross-agent/presence/here')).body).toEqual({
      removed: false,
    })
  })

  test.each(['/p/<private>x</private>', '/p DB_PASSWORD=rosebud'])(
    'refuses the invalid project %j',
    async (project) => {
      expect(await appear('x', { project })).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('project must not contain') },
      })
    },
  )

  test('stores the provider without credentials', async () => {
    const provider = 'x <private>y</private>DB_PASSWORD=rosebud'
    const project = '/work/My-Very-Long-Project-Name-For-Client-2024'

    expect((await appear('here', { provider, project })).body).toMatchObject({
      presence: { provider: 'x DB_PASSWORD=[REDACTED]', project },
    })
    await service.ask('DELETE /api/cross-agent/presence/here')
  })

  test('refuses an empty harness name', async () => {
    expect(await appear('x', { harness: ' ' })).toMatchObject({
      status: 400,
      body: { error: 'harness is required' },
    })
    expect(await service.ask('POST /api/cross-agent/presence', { body: '[]' })).toMatchObject({
      status: 400,
      body: { error: 'invalid request body' },
    })
  })

  test('an isolated agent sees only itself', async () => {
    await service.ask('POST /api/agents', { body: { name: 'shy', read_policy: 'isolated' } })
    await service.ask('POST /api/agents', { body: { name: 'open', read_policy: 'shared' } })
    await appear('mine', {}, { agent: 'shy' })
    await appear('theirs')
    const ask = (agent: string) =>
      service.ask('GET /api/cross-agent/presence?include_self=1', { agent })

    expect(keys(await ask('shy'))).toEqual(['mine'])
    expect(keys(await ask('open'))).toEqual(expect.arrayContaining(['mine', 'theirs']))
  })
})

describe('sessions', () => {
  test('lists, reads, bypasses and renews sessions in either key spelling', async () => {
    await appear('known', { project: '/p' })

    expect(keys(await service.ask('GET /api/sessions'))).toContain('known')
    for (const key of ['known', 'session:known'])
      expect(await service.ask(`GET /api/sessions/${key}`)).toMatchObject({
        status: 200,
        body: { key: 'known', runtimePath: 'plugin', expiresAt: null, bypassed: false },
      })
    const toggle = (enabled: boolean) =>
      service.ask('POST /api/sessions/known/bypass', { body: { enabled } })
    expect((await toggle(true)).body).toEqual({ key: 'known', bypassed: true })
    expect((await service.ask('GET /api/sessions/known')).body).toMatchObject({ bypassed: true })
    expect((await toggle(false)).body).toEqual({ key: 'known', bypassed: false })
    expect((await service.ask('POST /api/sessions/known/renew')).body).toEqual({
      key: 'known',
      renewed: true,
    })
  })

  test('lists the last claimed first and accepts any key', async () => {
    const agent = 'lister'
    const names = ['agent:lister:main', 'a/b c', 'summaries', '日本']
    for (const sessionKey of names)
      await service.ask('POST /api/hooks/session-start', {
        agent,
        body: { harness: 'codex', sessionKey, project: '/p', runtimePath: 'legacy' },
      })
    const { body } = await service.ask('GET /api/sessions', { agent })

    const listed = body['sessions'] as { readonly key: string; readonly claimedAt: string }[]
    expect(body['count']).toBe(4)
    expect(listed.map(({ key }) => key).toSorted()).toEqual(names.toSorted())
    expect(listed.map(({ claimedAt }) => claimedAt)).toEqual(
      listed
        .map(({ claimedAt }) => claimedAt)
        .toSorted()
        .toReversed(),
    )
    for (const key of ['agent:lister:main', 'a/b c', '日本', 'session:a/b c'])
      expect(
        (await service.ask(`GET /api/sessions/${encodeURIComponent(key)}`, { agent })).body,
      ).toEqual(listed.find((session) => session.key === key.replace('session:', '')))
    expect(listed[0]).toEqual({
      key: expect.any(String),
      agentId: agent,
      runtimePath: 'legacy',
      bypassed: false,
      claimedAt: expect.any(String),
      expiresAt: expect.any(String),
      harness: 'codex',
      project: '/p',
      provider: null,
    })
    const { body: reserved } = await service.ask('GET /api/sessions/summaries', { agent })
    expect(reserved).toEqual({ summaries: [], total: 0 })
    const { body: renewed } = await service.ask('POST /api/sessions/a%2Fb%20c/renew', { agent })
    expect(renewed).toEqual({ key: 'a/b c', renewed: true, expiresAt: expect.any(String) })
  })

  test('refuses an unknown session and an invalid toggle', async () => {
    const missing = { status: 404, body: { error: 'Session not found' } }
    const body = { enabled: true }

    expect(await service.ask('GET /api/sessions/unknown')).toMatchObject(missing)
    expect(await service.ask('POST /api/sessions/unknown/renew')).toMatchObject(missing)
    expect(await service.ask('POST /api/sessions/unknown/bypass', { body })).toMatchObject(missing)
    expect(
      await service.ask('POST /api/sessions/unknown/bypass', { body: { enabled: 'yes' } }),
    ).toMatchObject({ status: 400, body: { error: 'enabled (boolean) is required' } })
  })

  test('an agent has no access to sessions of another agent', async () => {
    await appear('private')

    expect(keys(await service.ask('GET /api/sessions', { agent: 'bob' }))).not.toContain('private')
    expect(await service.ask('GET /api/sessions/private', { agent: 'bob' })).toMatchObject({
      status: 404,
    })
    expect(
      await service.ask('POST /api/sessions/private/renew', { role: 'readonly' }),
    ).toMatchObject({ status: 403 })
  })

  test('sessions outlast a restart', async () => {
    await appear('lasting')
    await service.restart()

    expect((await service.ask('GET /api/sessions/lasting')).body).toMatchObject({ key: 'lasting' })
  })
})
