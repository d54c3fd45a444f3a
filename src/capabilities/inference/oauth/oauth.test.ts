import { expect, test } from 'vitest'
import { tokenOf } from '../../../../test/support/oauth-provider.ts'
import { createCredentials } from '../../../kernel/credentials/credentials.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { createLogins } from './index.ts'
import {
  clientSecret,
  createHarness,
  followEvents,
  nameOf,
  openOutbound,
  startProvider,
} from './oauth.fixture.ts'

async function begin(providerId: string, changes: Parameters<typeof createHarness>[2] = {}) {
  const upstream = await startProvider()
  const harness = createHarness(upstream, realHost, changes)
  const { id, events } = await harness.logins.login(providerId)
  return { upstream, ...harness, sessionId: id, login: followEvents(events) }
}

test('a device login ends with a stored credential', async () => {
  const { login, logins, store, sessionId } = await begin('company')
  const events = await login.rest()

  expect(events).toEqual([
    { type: 'session', sessionId, providerId: 'company' },
    {
      type: 'device_code',
      userCode: 'ABCD-EFGH',
      verificationUri: 'https://login.example/device',
      intervalSeconds: 1,
      expiresInSeconds: 600,
    },
    { type: 'connected', providerId: 'company' },
    { type: 'done' },
  ])
  expect([...store.values.keys()]).toEqual([nameOf('company')])
  expect(await logins.read('company')).toBe(tokenOf('access', 1))
  expect(JSON.stringify(events)).not.toContain(tokenOf('access', 1))
})

test('a browser login ends with the callback on this machine', async () => {
  const { upstream, login, logins } = await begin('portal')
  const { url } = await login.next('auth')
  const page = await fetch(upstream.approve(url))
  const events = await login.rest()

  expect(page.status).toBe(200)
  expect(await page.text()).not.toMatch(/<script/i)
  expect(page.headers.get('content-security-policy')).toBe("default-src 'none'")
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'reverie',
    scope: 'model',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  })
  expect(events.map(({ type }) => type)).toEqual([
    'session',
    'auth',
    'manual_code',
    'progress',
    'connected',
    'done',
  ])
  expect(await logins.read('portal')).toBe(tokenOf('access', 1))
})

test.each([
  ['the whole address', (address: string) => address],
  ['the code', (address: string) => new URL(address).searchParams.get('code') ?? ''],
])('%s may be pasted', async (_, toPasted) => {
  for (const id of ['portal', 'openrouter']) {
    const { upstream, login, logins, sessionId } = await begin(id)
    const { url } = await login.next('auth')
    const { responseId } = await login.next('manual_code')
    const answer = { sessionId, responseId, value: toPasted(upstream.approve(url)) }
    logins.complete(answer)

    expect((await login.rest()).map(({ type }) => type)).toContain('connected')
    expect(() => logins.complete(answer)).toThrow('unknown or has ended')
  }
})

test('OpenRouter ends with a key that does not expire', async () => {
  const { upstream, login, logins, store } = await begin('openrouter')
  const { url } = await login.next('auth')
  await fetch(upstream.approve(url))
  await login.rest()

  expect(await logins.read('openrouter')).toBe(tokenOf('key', 1))
  expect(JSON.parse([...store.values.values()].join(''))).toMatchObject({ expires: null })
})

test('a callback with the wrong state, path or host is refused, and the right one still counts', async () => {
  const { upstream, login } = await begin('portal')
  const { url } = await login.next('auth')
  const callback = new URL(upstream.approve(url))
  const wrongState = new URL(callback)
  wrongState.searchParams.set('state', 'other')
  const wrongPath = new URL(callback)
  wrongPath.pathname = '/other'

  expect((await fetch(wrongState)).status).toBe(400)
  expect((await fetch(wrongPath)).status).toBe(400)
  expect((await fetch(callback, { method: 'POST' })).status).toBe(400)
  expect((await fetch(callback)).status).toBe(200)
  expect((await login.rest()).map(({ type }) => type)).toContain('connected')
})

test('a pasted address of another login is refused', async () => {
  for (const id of ['portal', 'openrouter']) {
    const { login, logins, sessionId } = await begin(id)
    const { responseId } = await login.next('manual_code')
    logins.complete({ sessionId, responseId, value: 'http://127.0.0.1:1/callback?code=a&state=b' })

    expect(await login.rest()).toContainEqual({
      type: 'error',
      error: 'The address belongs to another login.',
    })
  }
})

test.each([
  ['of the settings', 'https://login.example', true],
  ['of another provider', 'https://other.example', false],
])('the issuer %s is checked where the settings name one', async (_, iss, isAccepted) => {
  for (const [issuer, isConnected] of [
    ['https://login.example', isAccepted],
    [undefined, true],
  ] as const) {
    const { upstream, login, logins } = await begin('portal', { issuer })
    const { url } = await login.next('auth')
    const callback = new URL(upstream.approve(url))
    callback.searchParams.set('iss', iss)
    await fetch(callback)

    expect((await login.rest()).some(({ type }) => type === 'connected')).toBe(isConnected)
    expect((await logins.read('portal')) !== undefined).toBe(isConnected)
  }
})

test('the client secret is sent to the provider and nowhere else', async () => {
  const secret = { clientSecretRef: '$env:CLIENT_SECRET' }
  const { login, upstream } = await begin('company', secret)
  const events = await login.rest()

  expect(upstream.tokenRequests.at(-1)).toMatchObject({ client_secret: clientSecret })
  expect(JSON.stringify(events)).not.toContain(clientSecret)
  const without = await begin('company', { clientSecretRef: '$env:ABSENT' })
  expect(await without.login.rest()).toContainEqual({
    type: 'error',
    error: 'The client secret of the provider is not set.',
  })
})

test('a replayed code is refused', async () => {
  const { upstream, login, logins, sessionId } = await begin('portal')
  const { url } = await login.next('auth')
  const { responseId } = await login.next('manual_code')
  const code = new URL(upstream.approve(url)).searchParams.get('code') ?? ''
  // Another login has used the code with its own verifier.
  const other = followEvents((await logins.login('portal')).events)
  const otherSession = await other.next('session')
  const question = await other.next('manual_code')
  logins.complete({ ...otherSession, ...question, value: code })
  await other.rest()
  logins.complete({ sessionId, responseId, value: code })

  expect(await login.rest()).toContainEqual({
    type: 'error',
    error: 'The provider no longer accepts the code or the login.',
  })
  expect(await logins.read('portal')).toBeUndefined()
})

test('a client that leaves ends the login and its listener', async () => {
  const { upstream, login, logins, sessionId } = await begin('portal')
  const { url } = await login.next('auth')
  const { responseId } = await login.next('manual_code')
  await login.leave()
  const callback = upstream.approve(url)

  await expect
    .poll(() =>
      fetch(callback).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
  expect(() => logins.complete({ sessionId, responseId, value: 'code' })).toThrow('unknown')
})

test('the ninth login at once is refused, and a slot is free after the end of one', async () => {
  const upstream = await startProvider()
  const { logins } = createHarness(upstream)
  const opened = []
  for (let count = 0; count < 8; count++) opened.push(await logins.login('portal'))

  await expect(logins.login('portal')).rejects.toMatchObject({ code: 'too_many_logins' })
  const [first] = opened
  if (first) await followEvents(first.events).leave()
  await expect
    .poll(() =>
      logins.login('portal').then(
        () => 'open',
        () => 'full',
      ),
    )
    .toBe('open')
  logins.stop()
})

test('a login ends after ten minutes', async () => {
  const upstream = await startProvider()
  const host = manualClockHost()
  const { logins } = createHarness(upstream, host)
  const login = followEvents((await logins.login('portal')).events)
  await login.next('manual_code')
  host.advance(600_000)

  expect(await login.rest()).toContainEqual({
    type: 'error',
    error: 'The login took longer than ten minutes. Start it again.',
  })
})

test.each([
  ['a blank value', { value: '  ' }],
  ['an unknown session', { sessionId: 'other' }],
  ['an unknown response', { responseId: 'other' }],
])('%s is refused', async (_, changes) => {
  const { login, logins, sessionId } = await begin('portal')
  const { responseId } = await login.next('manual_code')

  expect(() => logins.complete({ sessionId, responseId, value: 'code', ...changes })).toThrow(
    expect.objectContaining({ code: 'invalid_login_response' }),
  )
  await login.leave()
})

test('providers are listed with their state', async () => {
  const { logins, login } = await begin('company')
  await login.rest()

  expect(await logins.list()).toEqual([
    { id: 'openrouter', name: 'OpenRouter', usesCallbackServer: true, connected: false },
    { id: 'company', name: 'company', usesCallbackServer: false, connected: true },
    { id: 'portal', name: 'Portal', usesCallbackServer: true, connected: false },
  ])
  expect(await logins.disconnect('company')).toBe(true)
  expect(await logins.disconnect('company')).toBe(false)
  expect(await logins.read('company')).toBeUndefined()
  await expect(logins.disconnect('other')).rejects.toMatchObject({ code: 'login_not_found' })
})

test('without a secret store no login begins', async () => {
  const credentials = createCredentials({ variable: () => undefined })
  credentials.stores.seal()
  const logins = createLogins({
    host: realHost,
    outbound: openOutbound(),
    credentials,
    oauth: () => new Map(),
  })

  await expect(logins.login('openrouter')).rejects.toMatchObject({ code: 'secrets_unavailable' })
  expect(await logins.list()).toEqual([
    expect.objectContaining({ id: 'openrouter', connected: false, error: expect.any(String) }),
  ])
})
