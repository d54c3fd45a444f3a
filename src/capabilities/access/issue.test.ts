import { expect, test } from 'vitest'
import { createAuthenticate } from '../../kernel/auth/authenticate.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { issueAccessToken } from './issue.ts'
import { whoAmI } from './who-am-i.ts'

const host = fixedHost('2026-01-02T00:00:00.000Z')
const secret = Buffer.alloc(32, 7)
const needs = { host, secret, mode: 'team', defaultTokenTtlSeconds: 3600 } as const
const authenticate = createAuthenticate(needs)
const ask = (authorization?: string) => authenticate({ authorization, peer: '10.0.0.9' })

test('what is issued is believed, within its scope and until its end', () => {
  const scope = { agent: 'ada' }
  const { token, expiresAt } = issueAccessToken(needs, {
    role: 'agent',
    scope,
    sub: undefined,
    ttlSeconds: undefined,
  })

  expect(expiresAt).toBe('2026-01-02T01:00:00.000Z')
  expect(whoAmI('team', ask(`Bearer ${token}`))).toMatchObject({
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
])('%j is worth nothing, and the reason is told', (authorization, error) => {
  expect(whoAmI('team', ask(authorization))).toMatchObject({
    authenticated: false,
    claims: null,
    trustedLocal: false,
    effectiveAccess: 'none',
    error,
    permissions: [],
  })
})
