import { expect, test } from 'vitest'
import { tokenOf } from '../../../../test/support/oauth-provider.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { createHarness, nameOf, startProvider } from './oauth.fixture.ts'

/** Stores a credential that ends in the given time. */
async function storeCredential(expiresInMs: number) {
  const upstream = await startProvider()
  const harness = createHarness(upstream)
  const expires = realHost.now().getTime() + expiresInMs
  const credential = { access: tokenOf('access', 0), refresh: tokenOf('refresh', 0), expires }
  harness.store.values.set(nameOf('company'), JSON.stringify(credential))
  return { upstream, ...harness }
}

test('20 calls with an expired credential refresh it once', async () => {
  const { upstream, logins } = await storeCredential(-1_000)
  const tokens = await Promise.all(Array.from({ length: 20 }, () => logins.read('company')))

  expect(new Set(tokens)).toEqual(new Set([tokenOf('access', 1)]))
  expect(upstream.tokenRequests).toEqual([
    expect.objectContaining({ grant_type: 'refresh_token', refresh_token: tokenOf('refresh', 0) }),
  ])
  expect(await logins.read('company')).toBe(tokenOf('access', 1))
})

test('a credential with more than a minute left is used as it is', async () => {
  const { upstream, logins } = await storeCredential(90_000)

  expect(await logins.read('company')).toBe(tokenOf('access', 0))
  expect(upstream.tokenRequests).toEqual([])
})

test('peeking at an expired credential calls no provider', async () => {
  const { upstream, logins } = await storeCredential(-1_000)

  expect(await logins.peek('company')).toBe(tokenOf('access', 0))
  expect(upstream.tokenRequests).toEqual([])
})

test('a revoked login counts as expired, names the command, and stays stored', async () => {
  const { upstream, logins, store } = await storeCredential(30_000)
  upstream.revoke()

  await expect(logins.read('company')).rejects.toMatchObject({
    name: 'TargetError',
    status: 401,
    providerMessage: 'The login has expired. Run `reverie inference login company`.',
  })
  expect(store.values.size).toBe(1)
})

test('a credential that is still valid is used while the provider is away', async () => {
  const { upstream, logins } = await storeCredential(30_000)
  await upstream.stop()

  expect(await logins.read('company')).toBe(tokenOf('access', 0))
})

test('a daemon that refreshes second uses the credential of the first', async () => {
  const { logins, store } = await storeCredential(-1_000)
  const expires = realHost.now().getTime() + 3_600_000
  const winner = { access: tokenOf('access', 9), refresh: tokenOf('refresh', 9), expires }
  const { write } = store.internal
  Object.assign(store.internal, {
    write: async (name: string, value: string, expected?: string) => {
      store.values.set(nameOf('company'), JSON.stringify(winner))
      return await write(name, value, expected)
    },
  })

  expect(await logins.read('company')).toBe(tokenOf('access', 9))
  expect(JSON.parse([...store.values.values()].join(''))).toEqual(winner)
})
