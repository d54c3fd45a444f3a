import { expect, test } from 'vitest'
import { fixedHost } from '../testing/fixed-host.ts'
import { createKeyAuthenticate, findKeyPrefix, type LiveKey } from './api-key.ts'
import { type AuthMode, createAuthenticate } from './authenticate.ts'
import { type Claims, issueToken } from './token.ts'

const secret = Buffer.alloc(32, 'k')
const host = fixedHost()
const peer = '192.0.2.7'
const text = `svck_meadowed_${'a'.repeat(43)}`
const claims: Claims = { sub: 'key:meadowed', role: 'agent', scope: {}, key: 'key-1', iat: 0 }

function authenticateWith(live: Claims | undefined, mode: AuthMode = 'team') {
  const key: LiveKey | undefined = live && { claims: live, revoked: new AbortController().signal }
  const lookups: string[] = []
  const find = async (by: string) => {
    lookups.push(by)
    return key
  }
  const authenticate = createKeyAuthenticate({
    mode,
    authenticate: createAuthenticate({ mode, secret, host }),
    keys: { findByText: find, findById: find },
  })
  const present = async (authorization?: string, project?: string) =>
    authenticate({ authorization, peer, project: () => project })
  return { present, lookups }
}

const tokenOf = (extra: Partial<Claims> = {}) =>
  `Bearer ${issueToken({ role: 'agent', scope: {}, ttlSeconds: 60, ...extra }, { secret, now: host.now() }).token}`

test('a live key has the claims of its row and ends with it', async () => {
  const { present } = authenticateWith(claims)

  expect(await present(`Bearer ${text}`)).toMatchObject({
    role: 'agent',
    claims,
    refusal: null,
    subject: 'key:meadowed',
    revoked: expect.any(AbortSignal),
  })
})

test.each([
  ['an unknown key', text],
  ['a token that derives from a revoked key', tokenOf({ key: 'key-1' }).slice('Bearer '.length)],
])('%s is refused with one message for all reasons', async (_, bearer) => {
  const { refusal, permissions, claims } = await authenticateWith(undefined).present(
    `Bearer ${bearer}`,
  )

  expect(refusal?.message).toBe('the API key is unknown, revoked or expired')
  expect(permissions).toEqual([])
  expect(claims).toBeNull()
})

test('a token that derives from a live key is valid until the key is revoked', async () => {
  const { present, lookups } = authenticateWith(claims)

  expect(await present(tokenOf({ key: 'key-1' }))).toMatchObject({ refusal: null })
  expect(lookups).toEqual(['key-1'])
})

test('other tokens and malformed keys look up no key', async () => {
  const { present, lookups } = authenticateWith(claims)

  expect((await present(tokenOf())).refusal).toBeNull()
  for (const bearer of [`${text}a`, text.slice(0, -1), text.toUpperCase(), `x${text}`])
    expect((await present(`Bearer ${bearer}`)).refusal?.message).toBe('malformed token')
  expect(lookups).toEqual([])
})

test('mode local ignores keys, as it ignores tokens', async () => {
  const { present, lookups } = authenticateWith(undefined, 'local')

  expect(await present(`Bearer ${text}`)).toMatchObject({ role: 'admin', refusal: null })
  expect(lookups).toEqual([])
})

test.each<[readonly string[], string | undefined, string]>([
  [['garden'], undefined, 'garden'],
  [['garden'], 'garden', 'garden'],
  [['garden', 'shed'], 'shed', 'shed'],
  [['garden', 'shed'], undefined, 'project_required'],
  [['garden', 'shed'], 'attic', 'out_of_scope'],
  [['garden'], 'attic', 'out_of_scope'],
])(
  'a key for the projects %j with the header %s acts in: %s',
  async (projects, named, expected) => {
    const { present } = authenticateWith({ ...claims, projects: [...projects] })
    const { refusal, scope } = await present(`Bearer ${text}`, named)

    expect(refusal?.code ?? scope.project).toBe(expected)
  },
)

test('a key has one form', () => {
  expect(findKeyPrefix(text)).toBe('svck_meadowed')
  expect(findKeyPrefix(`${text}\n`)).toBeUndefined()
})
