import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signToken } from '../support/credentials.ts'
import { startSharedService } from '../support/shared-service.ts'
import { startService } from '../support/start-service.ts'

const service = await startSharedService()

const issue = (body: unknown) => service.ask('POST /api/auth/token', { body, role: 'admin' })
const asking = (token: unknown) => ({
  role: 'anonymous' as const,
  headers: { authorization: `Bearer ${token}` },
})
const whoAmI = async (token: unknown) =>
  (await service.ask('GET /api/auth/whoami', asking(token))).body

describe('token', () => {
  test('works: the token is valid for its role and scope until it expires', async () => {
    const scope = { agent: 'ada', project: 'garden' }
    const { status, body } = await issue({ role: 'agent', scope, ttlSeconds: 120, sub: 'spade' })

    expect(status).toBe(200)
    const { claims, ...rest } = await whoAmI(body['token'])
    expect(claims).toMatchObject({ sub: 'spade', role: 'agent', scope })
    expect(rest).toMatchObject({ authenticated: true, effectiveAccess: 'agent', error: null })
    const { iat, exp } = claims as { iat: number; exp: number }
    expect(exp - iat).toBe(120)
    expect(body['expiresAt']).toBe(new Date(exp * 1000).toISOString())
    const as = (agent: string) =>
      service.ask('GET /api/memories', { ...asking(body['token']), agent })
    expect((await as('ada')).status).toBe(200)
    expect(await as('bob')).toMatchObject({ status: 403, body: { code: 'out_of_scope' } })
  })

  test('works: a scope does not limit an admin', async () => {
    const { status, body } = await issue({ role: 'admin', scope: { agent: 'ada' } })

    expect(status).toBe(200)
    const asBob = { ...asking(body['token']), agent: 'bob' }
    expect((await service.ask('GET /api/memories', asBob)).status).toBe(200)
  })

  test('works: subject and lifetime default to the role and the settings', async () => {
    const { body } = await issue({ role: 'readonly' })

    const { claims } = (await whoAmI(body['token'])) as { claims: Record<string, number> }
    expect(claims).toMatchObject({ sub: 'token:readonly', scope: {} })
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(604_800)
  })

  test.each([
    [{}, 'role must be one of admin, operator, agent, readonly'],
    [{ role: 'king' }, 'role must be one of'],
    [{ role: 'agent', scope: 'ada' }, 'scope must be an object'],
    [{ role: 'agent', scope: { agentId: 'ada' } }, 'scope.agentId'],
    [{ role: 'agent', scope: { agents: ['ada'] } }, 'scope.agents'],
    [{ role: 'agent', scope: { project_id: 'garden' } }, 'scope.project_id'],
    [{ role: 'agent', scope: { user: 'ada' } }, 'scope.user'],
    [{ role: 'agent', scope: { project: '' } }, 'scope.project'],
    [{ role: 'agent', scope: { project: 'a\0b' } }, 'scope.project'],
    [{ role: 'agent', scope: { agent: 'a\u001Bb' } }, 'scope.agent'],
    [{ role: 'agent', scope: { project: ' garden' } }, 'scope.project'],
    [{ role: 'agent', scope: { project: 'garden\n' } }, 'scope.project'],
    [{ role: 'agent', project: 'garden' }, 'project'],
    [{ role: 'agent', agent: 'ada' }, 'agent'],
    [{ role: 'agent', ttlSeconds: 0 }, 'ttlSeconds must be at least 1'],
    [{ role: 'agent', ttlSeconds: 1.5 }, 'ttlSeconds must be a whole number of seconds'],
    [{ role: 'agent', ttlSeconds: 31_536_001 }, 'ttlSeconds must be at most 31536000'],
  ])('refuses %j', async (body, error) => {
    const reply = await issue(body)

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body['error']).toContain(error)
  })

  test.each([
    [JSON.parse('{"__proto__":{"project":"garden"}}'), '__proto__'],
    [{ project: 'garden', constructor: { prototype: {} } }, 'constructor.prototype'],
  ])('refuses the scope %j, and names the key', async (scope, key) => {
    expect(await issue({ role: 'agent', scope })).toMatchObject({
      status: 400,
      body: { code: 'invalid_key', error: expect.stringContaining(key) },
    })
  })

  test('refuses requests above the rate limit, with the retry time', async () => {
    const narrow = await startService({
      engine: 'sqlite',
      config: { auth: { mode: 'team', rateLimits: { admin: { max: 1 } } } },
    })
    onTestFinished(() => narrow.stop())
    const ask = () =>
      narrow.ask('POST /api/auth/token', { role: 'admin', body: { role: 'readonly' } })

    expect((await ask()).status).toBe(200)
    const second = await ask()
    expect(second).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(second.body['retryAfter']).toEqual(expect.any(Number))
  })
})

describe('token with permissions', () => {
  test('works: an administrator of the gateway has no other permission and keeps its scope', async () => {
    const scope = { agent: 'ada' }
    const { body } = await issue({ role: 'admin', scope, permissions: ['gateway'] })
    const who = await whoAmI(body['token'])

    expect(who).toMatchObject({ claims: { role: 'admin', scope }, permissions: ['gateway'] })
    const list = await service.ask('GET /api/memories', asking(body['token']))
    expect(list).toMatchObject({ status: 403, body: { code: 'permission_missing' } })
    const again = { ...asking(body['token']), body: { role: 'readonly' } }
    expect((await service.ask('POST /api/auth/token', again)).status).toBe(403)
  })

  test('keeps the scope of an administrator without the permission admin', async () => {
    const scope = { agent: 'ada' }
    const { body } = await issue({ role: 'admin', scope, permissions: ['recall'] })
    const list = (agentId: string) =>
      service.ask(`GET /api/memories?agentId=${agentId}`, asking(body['token']))

    expect((await list('ada')).status).toBe(200)
    expect(await list('bob')).toMatchObject({ status: 403, body: { code: 'out_of_scope' } })
  })

  test.each([
    ['agent', ['gateway'], "role 'agent' has no permission 'gateway'"],
    ['admin', ['gatewya'], "role 'admin' has no permission 'gatewya'"],
    ['admin', [], 'permissions must name at least one'],
    ['admin', 'gateway', 'permissions must be a list of names'],
    ['admin', [1], 'permissions must be a list of names'],
  ])('is refused for role %s with %j', async (role, permissions, error) => {
    const reply = await issue({ role, permissions })

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body['error']).toContain(error)
  })
})

describe('whoami', () => {
  test('works: reports a missing credential without refusing', async () => {
    expect(await service.ask('GET /api/auth/whoami', { role: 'anonymous' })).toMatchObject({
      status: 200,
      body: {
        authenticated: false,
        claims: null,
        trustedLocal: false,
        effectiveAccess: 'none',
        error: 'authentication required',
        permissions: [],
        mode: 'team',
        providers: [],
      },
    })
  })

  test('works: a trusted local caller is an administrator', async () => {
    const local = await startService({ mode: 'local', engine: 'sqlite' })
    onTestFinished(() => local.stop())

    expect((await local.ask('GET /api/auth/whoami')).body).toMatchObject({
      authenticated: false,
      trustedLocal: true,
      effectiveAccess: 'admin',
      mode: 'local',
    })
    expect((await local.ask('GET /api/mode')).body).toEqual({ mode: 'local', requiresAuth: false })
  })

  const secret = readFileSync(join(service.workspace, '.daemon', 'auth-secret'))
  const own = signToken({ role: 'readonly' }, secret)
  const raised = signToken({ role: 'admin' }, Buffer.alloc(32, 1))
  const signature = own.split('.')[1]

  const signWith = (extra: object, key: Buffer) => signToken({ role: 'readonly', extra }, key)

  test.each([
    ['signed by another', raised, 'invalid signature'],
    ['altered', `${raised.split('.')[0]}.${signature}`, 'invalid signature'],
    ['cut short', own.slice(0, -4), 'invalid signature'],
    ['no token at all', 'rubbish', 'malformed token'],
    ['over', signToken({ role: 'admin', expiresIn: -1 }, secret), 'token expired'],
    ['of a user', signWith({ scope: { user: 'ada' } }, secret), 'malformed payload'],
    ['confined outside its scope', signWith({ agent: 'ada' }, secret), 'malformed payload'],
    ['of an unknown role', signToken({ role: 'king' as 'admin' }, secret), 'malformed payload'],
  ])('refuses a token that is %s, here and everywhere', async (_, token, error) => {
    expect(await whoAmI(token)).toMatchObject({
      authenticated: false,
      claims: null,
      effectiveAccess: 'none',
      permissions: [],
      error: expect.stringContaining(error),
    })
    expect((await service.ask('GET /api/agents', asking(token))).status).toBe(401)
  })
})

test('methods: works without a credential', async () => {
  expect((await service.ask('GET /api/auth/methods', { role: 'anonymous' })).body).toEqual({
    mode: 'team',
    methods: [
      { name: 'token', available: true },
      { name: 'api-key', available: true },
      { name: 'password', available: false },
    ],
  })
})
