import { describe, expect, test } from 'vitest'
import { fixedHost } from '../testing/fixed-host.ts'
import { type AuthMode, createAuthenticate } from './authenticate.ts'
import { createBrowserAuthenticate, createBrowserRules, type RequestHeaders } from './browser.ts'
import { type Claims, issueToken } from './token.ts'

const secret = Buffer.alloc(32, 'k')
const host = fixedHost()
const cookie = 'c'.repeat(43)
const near = createBrowserRules({ secret })
const publicUrl = 'https://memory.example'
const far = createBrowserRules({ secret, publicUrl })
const csrf = near.toCsrf(cookie)
const own = { host: '127.0.0.1:3850', cookie: `svc_session=${cookie}`, 'x-svc-csrf': csrf }
const origin = 'http://127.0.0.1:3850'

describe('a cookie of this service', () => {
  test.each<[string, RequestHeaders]>([
    ['with its value', {}],
    ['from its origin', { origin }],
    ['with fetch metadata', { 'sec-fetch-site': 'same-origin' }],
    ['with both', { origin, 'sec-fetch-site': 'same-origin' }],
    ['among other cookies', { cookie: `a=b; svc_session=${cookie}; my_svc_session=x` }],
    ['repeated with one value', { cookie: `svc_session=${cookie}; svc_session=${cookie}` }],
    ['under a forwarded port', { host: 'localhost:9000', origin: 'http://localhost:9000' }],
  ])('counts %s', (_, headers) => {
    expect(near.findCookie({ ...own, ...headers })).toBe(cookie)
  })

  test.each<[string, RequestHeaders]>([
    ['without its value', { 'x-svc-csrf': undefined }],
    ['with an empty value', { 'x-svc-csrf': '' }],
    ['with the value of another cookie', { 'x-svc-csrf': near.toCsrf('d'.repeat(43)) }],
    ['with a cut value', { 'x-svc-csrf': csrf.slice(0, -1) }],
    ['with a longer value', { 'x-svc-csrf': `${csrf}a` }],
    ['with a value of other letters', { 'x-svc-csrf': 'é'.repeat(43) }],
    ['with two values', { 'x-svc-csrf': [csrf, csrf] }],
    ['from another port', { origin: 'http://127.0.0.1:3851' }],
    ['from another scheme', { origin: 'https://127.0.0.1:3850' }],
    ['from another name of this machine', { origin: 'http://localhost:3850' }],
    ['from a page without an origin', { origin: 'null' }],
    ['from an empty origin', { origin: '' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of the site', { 'sec-fetch-site': 'same-site' }],
    ['from a typed address', { 'sec-fetch-site': 'none' }],
    ['from unknown metadata', { 'sec-fetch-site': '' }],
    ['of another form', { cookie: 'svc_session=short' }],
    ['under another name', { cookie: `SVC_SESSION=${cookie}` }],
    ['with a second value', { cookie: `svc_session=${cookie}; svc_session=${'d'.repeat(43)}` }],
    ['that is missing', { cookie: undefined }],
  ])('does not count %s', (_, headers) => {
    expect(near.findCookie({ ...own, ...headers })).toBeUndefined()
  })
})

describe('a cookie behind a proxy with https', () => {
  const atProxy = { ...own, host: 'memory.example', cookie: `__Host-svc_session=${cookie}` }

  test.each<[string, RequestHeaders]>([
    ['from the public address', { origin: publicUrl }],
    ['when the proxy passes its own host', { host: '127.0.0.1:3850', origin: publicUrl }],
  ])('counts %s', (_, headers) => {
    expect(far.findCookie({ ...atProxy, ...headers })).toBe(cookie)
  })

  test.each<[string, RequestHeaders]>([
    ['from the public host without https', { origin: 'http://memory.example' }],
    ['from another port of it', { origin: 'https://memory.example:8443' }],
    ['without the prefix of its name', { cookie: `svc_session=${cookie}` }],
  ])('does not count %s', (_, headers) => {
    expect(far.findCookie({ ...atProxy, ...headers })).toBeUndefined()
  })

  test('is secure and bound to its host', () => {
    expect(far.toSetCookie(cookie, 60)).toBe(
      `__Host-svc_session=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=60; Secure`,
    )
    expect(near.toSetCookie('', 0)).toBe(
      'svc_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0',
    )
  })
})

describe('a browser session', () => {
  const claims: Claims = { sub: 'ada', role: 'agent', scope: {}, iat: 0, exp: 9e9 }
  const session = { id: 'session', claims, revoked: new AbortController().signal }
  const bearer = `Bearer ${issueToken({ role: 'readonly', scope: {}, ttlSeconds: 60 }, { secret, now: host.now() }).token}`

  function present(
    { mode = 'team', found = true }: { mode?: AuthMode; found?: boolean },
    authorization?: string,
  ) {
    const authenticate = createBrowserAuthenticate({
      mode,
      authenticate: createAuthenticate({ mode, secret, host }),
      rules: near,
      sessions: { find: async () => (found ? session : undefined) },
    })
    return authenticate({ authorization, peer: '127.0.0.1', headers: own })
  }

  test('has the claims of its credential', async () => {
    expect(await present({})).toMatchObject({ claims, role: 'agent', browserSession: 'session' })
  })

  test('that has ended is refused', async () => {
    expect((await present({ found: false })).refusal?.message).toBe('the session has ended')
  })

  test('yields to a bearer, valid or not', async () => {
    expect(await present({}, bearer)).toMatchObject({ role: 'readonly', refusal: null })
    expect((await present({}, 'Bearer a.b')).refusal?.message).toBe('invalid signature')
  })

  test.each<AuthMode>(['local', 'hybrid'])(
    'is not used in mode %s on this machine',
    async (mode) => {
      expect(await present({ mode })).toMatchObject({ role: 'admin', claims: null })
    },
  )
})
