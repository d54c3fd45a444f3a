import { describe, expect, onTestFinished, test } from 'vitest'
import { signIn } from '../support/browser-session.ts'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { forEachOf, isLong } from '../support/load.ts'
import { startSharedService } from '../support/shared-service.ts'
import { startService } from '../support/start-service.ts'

const service = await startSharedService()

const anonymous = { role: 'anonymous' } as const
const page = { 'sec-fetch-site': 'same-origin' }
const signInAs = (role: 'admin' | 'operator' | 'agent', scope = {}) =>
  signIn(service, service.tokenFor(role, scope))
const bearer = () => ({ authorization: `Bearer ${service.tokenFor('agent')}` })

describe('a browser session', () => {
  test('works: it acts as its token, and no reply has a token', async () => {
    const reply = await service.ask('POST /api/auth/session', {
      ...anonymous,
      headers: { ...bearer(), ...page },
      body: { cookie: true },
    })
    expect(reply).toMatchObject({ status: 200, body: { role: 'agent', sub: 'tester' } })
    expect(Object.keys(reply.body).toSorted()).toEqual(['csrf', 'expiresAt', 'role', 'sub'])
    const setCookie = reply.headers.get('set-cookie') ?? ''
    expect(setCookie).toMatch(
      /^svc_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    )
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()

    const headers = await signInAs('agent')
    expect((await service.ask('GET /api/memories', { ...anonymous, headers })).status).toBe(200)
    const who = await service.ask('GET /api/auth/whoami', { ...anonymous, headers })
    expect(who.body).toMatchObject({ authenticated: true, effectiveAccess: 'agent' })
  })

  test('is described for its page, with the operations that it may call', async () => {
    const headers = await signInAs('agent', { agent: 'ada' })
    const { cookie, 'x-svc-csrf': csrf } = headers
    const read = async (sent: Record<string, string>) =>
      (await service.ask('GET /api/auth/session', { ...anonymous, headers: sent })).body

    const loaded = await read({ cookie, ...page })
    expect(loaded).toMatchObject({
      signedIn: true,
      mode: 'team',
      role: 'agent',
      agentId: 'ada',
      csrf,
    })
    expect(loaded['operations']).toEqual(expect.arrayContaining(['memory.list', 'access.session']))
    expect(loaded['operations']).not.toContain('access.create-key')
    expect(await read({ ...headers })).toMatchObject({ signedIn: true, csrf })
    for (const sent of [
      { cookie },
      { cookie, 'sec-fetch-site': 'same-site' },
      { cookie, ...page, origin: 'http://127.0.0.1:1' },
      {},
    ]) {
      const body = await read(sent)
      expect(body).toMatchObject({ signedIn: false, role: 'none', permissions: [] })
      expect(body).not.toHaveProperty('csrf')
      expect(body['operations']).not.toContain('memory.list')
    }
    const asBearer = await read({ cookie, ...page, ...bearer() })
    expect(asBearer).toMatchObject({ signedIn: true })
    expect(asBearer).not.toHaveProperty('csrf')
  })

  test('ends when it is left, and the browser forgets its cookie', async () => {
    const headers = await signInAs('agent')

    const reply = await service.ask('DELETE /api/auth/session', { ...anonymous, headers })

    expect(reply.status).toBe(204)
    expect(reply.headers.get('set-cookie')).toMatch(/^svc_session=; .*Max-Age=0/)
    expect(await service.ask('GET /api/memories', { ...anonymous, headers })).toMatchObject({
      status: 401,
      body: { error: 'the session has ended' },
    })
  })

  test('is not exchanged for a credential that a script can read', async () => {
    const headers = await signInAs('admin')

    for (const call of ['POST /api/auth/session', 'POST /api/auth/handoff'])
      for (const body of [{}, { cookie: true }])
        expect(await service.ask(call, { ...anonymous, headers, body })).toMatchObject({
          status: 403,
          body: { code: 'bearer_required' },
        })
  })

  test('starts from a hand-off code, and for pages of this service only', async () => {
    const make = async () =>
      (await service.ask('POST /api/auth/handoff', { role: 'agent', body: {} })).body['code']
    const redeem = async (headers: Record<string, string>) =>
      service.ask('POST /api/auth/handoff/redeem', {
        ...anonymous,
        headers,
        body: { code: await make(), cookie: true },
      })

    const reply = await redeem(page)
    expect(reply).toMatchObject({ status: 200, body: { role: 'agent', csrf: expect.any(String) } })
    expect(reply.headers.get('set-cookie')).toContain('svc_session=')
    const foreign = await redeem({ origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'foreign_origin' } })
    expect(foreign.headers.get('set-cookie')).toBeNull()
  })

  test('is in no file as it is sent, and ends with its key', async () => {
    const { id, key } = (
      await service.ask('POST /api/auth/api-keys', { role: 'admin', body: { name: 'page' } })
    ).body
    const headers = await signIn(service, String(key))
    const [, cookie = ''] = headers.cookie.split('=')
    expect((await service.ask('GET /api/memories', { ...anonymous, headers })).status).toBe(200)
    const marks = [cookie.toLowerCase(), headers['x-svc-csrf'].toLowerCase()]
    expect(await listPlacesHolding(service, marks)).toEqual([])

    await service.ask(`DELETE /api/auth/api-keys/${id}`, { role: 'admin' })

    expect((await service.ask('GET /api/memories', { ...anonymous, headers })).status).toBe(401)
  })

  test('survives a restart', async () => {
    const own = await startService({ engine: 'sqlite' })
    onTestFinished(() => own.stop())
    const headers = await signIn(own, own.tokenFor('agent'))

    await own.restart()

    expect((await own.ask('GET /api/memories', { ...anonymous, headers })).status).toBe(200)
  })

  test.each([{ cookie: 'yes' }, { cookie: 1 }, { cookie: null }])('refuses %j', async (body) => {
    const reply = await service.ask('POST /api/auth/session', { role: 'agent', body })

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

/** Each method with each combination of what a browser sends; a short run sends one method each. */
test('a cookie counts only with its value, from its origin, and from the same page', async () => {
  const own = await signInAs('operator')
  const other = await signInAs('agent')
  const combinations = [own.cookie, other.cookie, undefined].flatMap((cookie) =>
    [own['x-svc-csrf'], other['x-svc-csrf'], undefined].flatMap((csrf) =>
      [undefined, service.url, 'http://127.0.0.1:1', 'https://pages.example', 'null'].flatMap(
        (origin) =>
          [undefined, 'same-origin', 'same-site', 'cross-site', 'none'].map((site) => {
            return { cookie, csrf, origin, site }
          }),
      ),
    ),
  )
  const calls = [
    'GET /api/memories',
    'GET /api/events',
    'POST /api/memory/recall',
    'DELETE /api/secrets/none',
  ]
  const requests = combinations.flatMap((combination, index) =>
    (isLong ? calls : [calls[index % calls.length]]).map((call) => ({ call, ...combination })),
  )
  await forEachOf(requests, async ({ call = '', cookie, csrf, origin, site }) => {
    const isPair =
      (cookie === own.cookie && csrf === own['x-svc-csrf']) ||
      (cookie === other.cookie && csrf === other['x-svc-csrf'])
    const isSamePage =
      [undefined, service.url].includes(origin) && [undefined, 'same-origin'].includes(site)
    const status = await readStatus(call, {
      cookie,
      'x-svc-csrf': csrf,
      origin,
      'sec-fetch-site': site,
    })
    const isRefused = status === 401 || (status === 403 && !isSamePage)
    expect({ call, cookie, csrf, origin, site, isRefused }).toMatchObject({
      isRefused: !(isPair && isSamePage),
    })
  })
})

/** The status alone: a stream has no end. */
async function readStatus(
  call: string,
  sent: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const [method = '', path = ''] = call.split(' ')
  const headers = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  const isPost = method === 'POST'
  const { status, body } = await fetch(service.url + path, {
    method,
    headers: [
      ...headers,
      ...(isPost ? [['content-type', 'application/json'] as [string, string]] : []),
    ],
    ...(isPost && { body: JSON.stringify({ query: 'heron' }) }),
  })
  await body?.cancel()
  return status
}
