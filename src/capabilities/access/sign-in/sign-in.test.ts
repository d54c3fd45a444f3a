import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readToken } from '../../../kernel/auth/token.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { makerOf } from '../access.fixture.ts'
import { createHandoffs } from './handoffs.ts'
import { createPasswordLogin } from './password.ts'
import { assertStillValid, issueSession, readClaims } from './session.ts'

const password = 'moss between stones'
const salt = Buffer.alloc(16, 5)
const hashOf = (N: number, text = password) =>
  `scrypt:${N}:8:1:${salt.toString('base64url')}:${scryptSync(text, salt, 32, { N, r: 8, p: 1 }).toString('base64url')}`

test.each([
  ['a hash', { hash: hashOf(1024), password: undefined }],
  ['a password', { hash: undefined, password }],
  ['both, of which the hash counts', { hash: hashOf(1024), password: 'another' }],
])('login with %s accepts the password of the user admin only', async (_, settings) => {
  const login = createPasswordLogin(settings)

  await login.check('admin', password)
  const wrong = [
    ['admin', 'wrong'],
    ['Admin', password],
    ['ada', password],
    ['admin', ''],
  ] as const
  for (const [username, text] of wrong)
    await expect(login.check(username, text)).rejects.toMatchObject({ code: 'login_failed' })
})

test('login without settings is not configured', async () => {
  const login = createPasswordLogin({ hash: undefined, password: undefined })

  expect(login.isConfigured).toBe(false)
  await expect(login.check('admin', '')).rejects.toMatchObject({ code: 'login_not_configured' })
})

test.each([
  ['another form', 'garden'],
  ['a cost that is no power of two', hashOf(1024).replace(':1024:', ':1000:')],
  ['a cost without effect', hashOf(1024).replace(':1024:', ':2:')],
  ['a cost beyond the memory', hashOf(1024).replace(':1024:', ':1048576:')],
  ['a short salt', 'scrypt:1024:8:1:AAAAAAAA:AAAAAAAAAAAAAAAAAAAAAAAA'],
])('a hash with %s closes the login, even with a password', async (_, hash) => {
  const login = createPasswordLogin({ hash, password })

  expect(login.problem).toBe('SVC_ADMIN_PASSWORD_HASH is not valid')
  await expect(login.check('admin', password)).rejects.toMatchObject({
    code: 'login_not_configured',
  })
})

test('at most two passwords are checked at the same time', async () => {
  const login = createPasswordLogin({ hash: hashOf(16_384), password: undefined })
  const checks = Array.from({ length: 5 }, () => login.check('admin', password))
  const outcomes = (await Promise.allSettled(checks)).map((each) =>
    each.status === 'fulfilled' ? 'accepted' : each.reason.code,
  )

  expect(outcomes.toSorted()).toEqual(['accepted', 'accepted', ...Array(3).fill('login_busy')])
  await login.check('admin', password)
})

test('a hand-off code works once, within a minute', () => {
  const host = manualClockHost()
  const handoffs = createHandoffs(host)
  const claims = readClaims(makerOf().principal)
  const [first, second] = [handoffs.create(claims), handoffs.create(claims)]

  expect(handoffs.redeem(first.code)).toEqual(claims)
  for (const code of [first.code, 'unknown', ''])
    expect(() => handoffs.redeem(code)).toThrow('unknown, used or expired')
  host.advance(60_000)
  expect(() => handoffs.redeem(second.code)).toThrow('unknown, used or expired')
})

test('four codes of a credential and thirty-two in all may be pending', () => {
  const host = manualClockHost()
  const handoffs = createHandoffs(host)
  const createFor = (sub: string) => handoffs.create(readClaims(makerOf({ sub }).principal))
  for (let index = 0; index < 32; index++) createFor(`user ${index % 8}`)

  expect(() => createFor('user 0')).toThrow('Too many')
  expect(() => createFor('user 9')).toThrow('Too many')
  host.advance(60_000)
  for (let index = 0; index < 4; index++) createFor('user 0')
  expect(() => createFor('user 0')).toThrow('Too many')
})

test('a session has the limits of its credential and ends no later', () => {
  const host = manualClockHost()
  const secret = Buffer.alloc(32, 7)
  const needs = { host, secret, sessionTokenTtlSeconds: 3600 }
  const now = Math.floor(host.now().getTime() / 1000)
  const limits = { permissions: ['recall'], scope: { agent: 'ada' }, projects: ['a'], key: 'k' }
  const claims = readClaims(makerOf({ ...limits, exp: now + 60 }).principal)

  const session = issueSession(needs, claims)

  expect(session).toMatchObject({ role: 'admin', sub: 'ada' })
  expect(readToken(session.token, secret, host.now())).toMatchObject({ ...limits, exp: now + 60 })
  const { exp: _, ...endless } = claims
  const { token } = issueSession(needs, endless)
  expect(readToken(token, secret, host.now()).exp).toBe(now + 3600)
})

test('a code of an expired or revoked credential is refused', async () => {
  const host = manualClockHost()
  const none = { findById: async () => undefined }
  const now = Math.floor(host.now().getTime() / 1000)
  const claimsOf = (claims: object) => readClaims(makerOf(claims).principal)

  await assertStillValid({ host }, none, claimsOf({ exp: now + 60 }))
  for (const claims of [claimsOf({ exp: now }), claimsOf({ key: 'revoked' })])
    await expect(assertStillValid({ host }, none, claims)).rejects.toThrow('no longer valid')
})

test('a caller that is trusted without a token has nothing to exchange', () => {
  expect(() => readClaims({ claims: null })).toThrow('needs no session')
})
