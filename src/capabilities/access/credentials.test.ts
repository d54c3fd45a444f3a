import { expect, test } from 'vitest'
import { createAuthenticate } from '../../kernel/auth/authenticate.ts'
import { issueToken } from '../../kernel/auth/token.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { whoAmI } from './credentials.ts'

const host = fixedHost('2026-01-02T00:00:00.000Z')
const secret = Buffer.alloc(32, 7)
const authenticate = createAuthenticate({ host, secret, mode: 'team' })
const present = (authorization?: string) => authenticate({ authorization, peer: '10.0.0.9' })

test('an issued token is valid within its scope until it expires', () => {
  const scope = { agent: 'ada' }
  const { token, expiresAt } = issueToken(
    { role: 'agent', scope, ttlSeconds: 3600 },
    { secret, now: host.now() },
  )

  expect(expiresAt).toBe('2026-01-02T01:00:00.000Z')
  expect(whoAmI('team', present(`Bearer ${token}`))).toMatchObject({
    authenticated: true,
    claims: { sub: 'token:agent', role: 'agent', scope },
    trustedLocal: false,
    effectiveAccess: 'agent',
    error: null,
  })
})

test.each([
  [undefined, 'authentication required'],
  ['Bearer rubbish', 'malformed token'],
])('%j is invalid, with the reason', (authorization, error) => {
  expect(whoAmI('team', present(authorization))).toMatchObject({
    authenticated: false,
    claims: null,
    trustedLocal: false,
    effectiveAccess: 'none',
    error,
    permissions: [],
  })
})
