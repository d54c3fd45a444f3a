import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Claims, issueToken, readToken } from './token.ts'

const secret = Buffer.alloc(32, 'k')
const now = new Date('2026-01-02T03:04:05.000Z')
const second = now.getTime() / 1000
const claims: Claims = { sub: 'ada', role: 'agent', scope: {}, iat: second - 60, exp: second + 60 }

const signed = (payload: string, key = secret) =>
  `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`
const written = (payload: unknown, key = secret) =>
  signed(Buffer.from(JSON.stringify(payload)).toString('base64url'), key)
const whole = written(claims)
const [payload = '', signature = ''] = whole.split('.')
const { iat, exp, ...timeless } = claims

test('an issued token is valid and contains its scope', () => {
  const request = { sub: 'ada', role: 'agent', scope: { project: 'p', agent: 'a' } } as const
  const { token, expiresAt } = issueToken({ ...request, ttlSeconds: 60 }, { secret, now })

  const times = { iat: Math.floor(second), exp: Math.floor(second) + 60 }
  expect(readToken(token, secret, now)).toEqual({ ...request, ...times })
  expect(expiresAt).toBe('2026-01-02T03:05:05.000Z')
})

test('a token contains its permissions, and none that its role lacks', () => {
  const issue = (role: Claims['role'], permissions: readonly string[]) =>
    issueToken({ role, scope: {}, permissions, ttlSeconds: 60 }, { secret, now })

  expect(readToken(issue('admin', ['gateway']).token, secret, now)).toMatchObject({
    permissions: ['gateway'],
  })
  const refused = [
    ['admin', 'gatewya'],
    ['agent', 'gateway'],
    ['readonly', 'remember'],
  ] as const
  for (const [role, permission] of refused)
    expect(() => issue(role, ['recall', permission])).toThrow(
      `role '${role}' has no permission '${permission}'`,
    )
})

test.each([
  ['nothing', '', 'malformed token'],
  ['one part', payload, 'malformed token'],
  ['three parts', `${whole}.${signature}`, 'malformed token'],
  ['padding', `${whole}=`, 'malformed token'],
  ['a truncated signature', whole.slice(0, -1), 'invalid signature'],
  ['another payload', `${payload}A.${signature}`, 'invalid signature'],
  ['another key', written(claims, Buffer.alloc(32, 'x')), 'invalid signature'],
  ['a payload that is not JSON', signed('AAAA'), 'malformed payload'],
  ['a payload that is not an object', written(7), 'malformed payload'],
  ['an unknown role', written({ ...claims, role: 'root' }), 'malformed payload'],
  ['a scope that is not text', written({ ...claims, scope: { agent: 1 } }), 'malformed payload'],
  [
    'a scope of another spelling',
    written({ ...claims, scope: { agentId: 'ada' } }),
    'malformed payload',
  ],
  [
    'a scope in the plural',
    written({ ...claims, scope: { agents: ['ada'] } }),
    'malformed payload',
  ],
  ['a scope of a user', written({ ...claims, scope: { user: 'ada' } }), 'malformed payload'],
  [
    'a prototype as scope',
    signed(
      Buffer.from(
        JSON.stringify(claims).replace('"scope":{', '"scope":{"__proto__":{"project":"p"}'),
      ).toString('base64url'),
    ),
    'malformed payload',
  ],
  [
    'a prototype among its claims',
    signed(
      Buffer.from(JSON.stringify(claims).replace('{', '{"__proto__":{},')).toString('base64url'),
    ),
    'malformed payload',
  ],
  ['a NUL in its scope', written({ ...claims, scope: { project: 'p\0' } }), 'malformed payload'],
  ['a space around its scope', written({ ...claims, scope: { agent: ' a' } }), 'malformed payload'],
  ['an empty scope', written({ ...claims, scope: { project: '' } }), 'malformed payload'],
  ['a project outside its scope', written({ ...claims, project: 'p' }), 'malformed payload'],
  ['an agent outside its scope', written({ ...claims, agent: 'ada' }), 'malformed payload'],
  ['no timestamps', written(timeless), 'missing timestamps'],
  ['no expiry', written({ ...timeless, iat }), 'missing timestamps'],
  ['no issue time', written({ ...timeless, exp }), 'missing timestamps'],
  ['an expiry of now', written({ ...claims, exp: second }), 'token expired'],
])('rejects a token with %s: %s → %s', (_, token, message) => {
  expect(() => readToken(token, secret, now)).toThrow(
    expect.objectContaining({ kind: 'unauthenticated', message }),
  )
})

test('accepts only one encoding of a signature', () => {
  const last = signature.at(-1) ?? ''
  const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
    (letter) => letter !== last,
  )

  for (const letter of others)
    expect(() => readToken(`${whole.slice(0, -1)}${letter}`, secret, now)).toThrow(
      'invalid signature',
    )
})
