import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const password = 'moss between stones'
const service = await startService({ env: { SVC_ADMIN_PASSWORD: password } })
afterAll(() => service.stop())

const anonymous = { role: 'anonymous' } as const
const bearer = (token: unknown) => ({
  ...anonymous,
  headers: { authorization: `Bearer ${token}` },
})
const login = (body: object) => service.ask('POST /api/auth/login', { ...anonymous, body })

describe('login', () => {
  test('works: the token of the administrator lasts a day', async () => {
    const { status, body } = await login({ username: 'admin', password })

    expect(status).toBe(200)
    expect(body).toMatchObject({ role: 'admin', username: 'admin' })
    const who = await service.ask('GET /api/auth/whoami', bearer(body['token']))
    const { iat, exp } = Object(who.body['claims'])
    expect(exp - iat).toBe(86_400)
    expect((await service.ask('GET /api/auth/api-keys', bearer(body['token']))).status).toBe(200)
  })

  test('refuses a wrong name and a wrong password alike, and logs neither', async () => {
    const replies = [
      await login({ username: 'admin', password: 'a wrong passphrase' }),
      await login({ username: 'ada', password }),
    ]

    for (const { status, body } of replies) {
      expect(status).toBe(401)
      expect(body).toMatchObject({ code: 'login_failed' })
    }
    expect(replies[0]?.body['error']).toBe(replies[1]?.body['error'])
    expect(service.output()).not.toContain(password)
    expect(service.output()).not.toContain('a wrong passphrase')
  })

  test.each([
    [{ password }, 'username is required'],
    [{ username: 'admin' }, 'password is required'],
    [{ username: 'x'.repeat(129), password }, 'username exceeds'],
    [{ username: 'admin', password: 'x'.repeat(1025) }, 'password exceeds'],
    [{ username: 'admin', password: 7 }, 'password is required'],
  ])('refuses %j', async (body, error) => {
    const reply = await login(body)

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body['error']).toContain(error)
  })

  test('without a password is not configured, and is limited by the peer', async () => {
    const own = await startService({
      engine: 'sqlite',
      config: { auth: { mode: 'team', rateLimits: { login: { max: 5 } } } },
    })
    onTestFinished(() => own.stop())
    const attempt = (headers = {}) =>
      own.ask('POST /api/auth/login', { ...anonymous, headers, body: { username: 'a', password } })

    expect(await attempt()).toMatchObject({ status: 503, body: { code: 'login_not_configured' } })
    for (let count = 2; count <= 5; count++)
      expect((await attempt({ 'x-forwarded-for': `192.0.2.${count}` })).status).toBe(503)
    const limited = { status: 429, body: { code: 'rate_limited' } }
    expect(await attempt()).toMatchObject(limited)
    // A token of its own, valid or not, gives a peer no further attempts.
    expect(await attempt({ authorization: 'Bearer a.b' })).toMatchObject(limited)
    expect(await own.ask('POST /api/auth/session', { role: 'operator', body: {} })).toMatchObject(
      limited,
    )
    const redeem = { ...anonymous, body: { code: 'unknown' } }
    expect(await own.ask('POST /api/auth/handoff/redeem', redeem)).toMatchObject(limited)
    expect((await own.ask('GET /api/memories')).status).toBe(200)
  })
})

describe('session', () => {
  test('works: it has the limits of the token and ends no later', async () => {
    const scope = { agent: 'ada' }
    const issued = await service.ask('POST /api/auth/token', {
      role: 'admin',
      body: { role: 'agent', scope, ttlSeconds: 120, sub: 'spade', permissions: ['recall'] },
    })
    const { status, body } = await service.ask('POST /api/auth/session', {
      ...bearer(issued.body['token']),
      body: {},
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ role: 'agent', sub: 'spade' })
    expect(Date.parse(String(body['expiresAt']))).toBeLessThanOrEqual(
      Date.parse(String(issued.body['expiresAt'])),
    )
    const who = await service.ask('GET /api/auth/whoami', bearer(body['token']))
    expect(who.body).toMatchObject({ claims: { sub: 'spade', scope }, permissions: ['recall'] })
  })

  test('needs a credential', async () => {
    const reply = await service.ask('POST /api/auth/session', { ...anonymous, body: {} })

    expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test.each(['session', 'handoff'])('%s is not needed in mode local', async (name) => {
    const local = await startService({ mode: 'local', engine: 'sqlite' })
    onTestFinished(() => local.stop())

    const reply = await local.ask(`POST /api/auth/${name}`, { body: {} })
    expect(reply).toMatchObject({ status: 400, body: { code: 'not_needed' } })
  })
})

describe('hand-off', () => {
  const redeem = (code: unknown) =>
    service.ask('POST /api/auth/handoff/redeem', { ...anonymous, body: { code } })

  test('works: a code signs in once with the limits of its maker', async () => {
    const scope = { agent: 'ada' }
    const made = await service.ask('POST /api/auth/handoff', { role: 'agent', scope, body: {} })
    expect(made.status).toBe(200)
    const { code, expiresAt } = made.body
    expect(Date.parse(String(expiresAt)) - Date.now()).toBeLessThanOrEqual(60_000)

    const { status, body } = await redeem(code)

    expect(status).toBe(200)
    const who = await service.ask('GET /api/auth/whoami', bearer(body['token']))
    expect(who.body).toMatchObject({ claims: { role: 'agent', scope } })
    expect(await redeem(code)).toMatchObject({ status: 401, body: { code: 'handoff_invalid' } })
  })

  test('a fifth pending code of a credential is refused', async () => {
    const by = bearer(service.tokenFor('readonly', { agent: 'ada', project: 'moth' }))
    const make = () => service.ask('POST /api/auth/handoff', { ...by, body: {} })
    for (let count = 0; count < 4; count++) expect((await make()).status).toBe(200)

    expect(await make()).toMatchObject({ status: 429, body: { code: 'too_many_handoffs' } })
  })

  test.each([undefined, '', 7, 'a b', 'x'.repeat(129)])('refuses the code %j', async (code) => {
    expect(await redeem(code)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

test.each([
  'GET /api/auth/sso',
  'POST /api/auth/sso/callback',
  'GET /api/auth/saml/metadata/idp',
  'POST /api/auth/saml',
])('%s is not built', async (call) => {
  const body = call.startsWith('POST') ? { body: {} } : {}

  expect(await service.ask(call, { ...anonymous, ...body })).toMatchObject({
    status: 501,
    body: { code: 'not_implemented' },
  })
})
