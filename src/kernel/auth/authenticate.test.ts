import { expect, test } from 'vitest'
import { fixedHost } from '../testing/fixed-host.ts'
import { type AuthMode, createAuthenticate } from './authenticate.ts'
import { issueToken } from './token.ts'

const secret = Buffer.alloc(32, 'k')
const host = fixedHost()
const { token } = issueToken(
  { sub: 'ada', role: 'agent', scope: {}, ttlSeconds: 60 },
  { secret, now: host.now() },
)

const near = '127.0.0.1'
const far = '192.0.2.7'
const required = 'authentication required'

test.each<[AuthMode, string, string | undefined, string]>([
  ['local', near, undefined, 'admin'],
  ['local', near, 'Bearer nonsense', 'admin'],
  ['team', near, undefined, required],
  ['team', near, `Bearer ${token}`, 'agent'],
  ['hybrid', near, undefined, 'admin'],
  ['hybrid', '::1', undefined, 'admin'],
  ['hybrid', '::ffff:127.0.0.1', undefined, 'admin'],
  ['hybrid', '127.0.0.2', undefined, required],
  ['hybrid', '', undefined, required],
  ['hybrid', near, `Bearer ${token}`, 'agent'],
  ['hybrid', near, `bearer ${token}`, 'agent'],
  ['hybrid', near, 'Bearer a.b', 'invalid signature'],
  ['hybrid', near, 'Basic YTpi', 'malformed token'],
  ['hybrid', near, '', 'malformed token'],
  ['hybrid', far, undefined, required],
  ['hybrid', far, `Bearer ${token}`, 'agent'],
])('mode %s, peer %s, authorization %s: %s', (mode, peer, authorization, expected) => {
  const principal = createAuthenticate({ mode, secret, host })({ authorization, peer })

  expect(principal.refusal?.message ?? principal.role).toBe(expected)
})

test.each([
  ['local', near, true],
  ['local', far, false],
  ['team', near, true],
  ['team', far, false],
  ['team', '127.0.0.2', false],
] as const)('in mode %s, isLocal of peer %s is %s', (mode, peer, isLocal) => {
  const authorization = `Bearer ${token}`

  expect(createAuthenticate({ mode, secret, host })({ authorization, peer }).isLocal).toBe(isLocal)
})

test('a refused caller has no permissions and is rate-limited by address', () => {
  const authenticate = createAuthenticate({ mode: 'team', secret, host })

  expect(authenticate({ authorization: undefined, peer: far })).toMatchObject({
    permissions: [],
    claims: null,
    subject: far,
  })
  expect(authenticate({ authorization: `Bearer ${token}`, peer: far }).subject).toBe('ada')
})

test.each([
  ['admin', undefined, {}],
  ['admin', ['admin', 'recall'], {}],
  ['admin', ['gateway'], { agent: 'ann' }],
  ['admin', [], { agent: 'ann' }],
  ['operator', undefined, { agent: 'ann' }],
] as const)(
  'the scope of a token of role %s with the permissions %j is %j',
  (role, permissions, scope) => {
    const request = { role, permissions, scope: { agent: 'ann' }, ttlSeconds: 60 }
    const limited = issueToken(request, { secret, now: host.now() })
    const authenticate = createAuthenticate({ mode: 'team', secret, host })
    const principal = authenticate({ authorization: `Bearer ${limited.token}`, peer: near })

    expect(principal).toMatchObject({ role, refusal: null })
    expect([principal.scope, principal.permissions]).toEqual([scope, permissions])
  },
)
