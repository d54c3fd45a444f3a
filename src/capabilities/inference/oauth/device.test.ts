import { expect, test } from 'vitest'
import { type DeviceAnswer, tokenOf } from '../../../../test/support/oauth-provider.ts'
import { loginByDevice } from './device.ts'
import { createFastHost, openOutbound, startProvider } from './oauth.fixture.ts'
import { createProtocol } from './protocol.ts'

const deviceSettings = (url: string) => ({
  clientId: 'reverie',
  clientSecret: undefined,
  scopes: ['model'],
  tokenEndpoint: `${url}/token`,
  deviceAuthorizationEndpoint: `${url}/device`,
})

async function pollDevice(...answers: readonly DeviceAnswer[]) {
  const upstream = await startProvider()
  upstream.answerDevice(...answers)
  const host = createFastHost()
  const { signal } = new AbortController()
  const needs = { host, outbound: openOutbound() }
  const protocol = createProtocol(needs, deviceSettings(upstream.url), signal)
  const context = { emit: () => {}, askForCode: async () => '', signal }
  const login = loginByDevice(host, protocol, context)
  return { host, login }
}

test('polling waits the interval, and longer after slow_down', async () => {
  const { host, login } = await pollDevice('authorization_pending', 'slow_down', 'approve')

  expect(await login).toMatchObject({
    access: tokenOf('access', 1),
    refresh: tokenOf('refresh', 1),
  })
  expect(host.sleeps).toEqual([1_000, 1_000, 6_000])
})

test.each([
  ['access_denied', 'The login was denied.'],
  ['expired_token', 'The code has expired. Start the login again.'],
] as const)('polling ends with %s', async (answer, message) => {
  const { login } = await pollDevice('authorization_pending', answer)

  await expect(login).rejects.toThrow(message)
})
