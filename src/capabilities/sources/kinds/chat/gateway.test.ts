import { expect, onTestFinished, test } from 'vitest'
import { startFakeChat } from '../../../../../test/support/fake-chat.ts'
import { outboundTo } from '../../../../kernel/outbound/outbound.fixture.ts'
import { manualClockHost } from '../../../../kernel/testing/manual-clock-host.ts'
import { syntheticToken } from '../remote-kind.contract.ts'
import { followGateway, type GatewayRun } from './gateway.ts'

const maxSkippedMs = 4_000
const heartbeatMs = 41_250

/** Follows a gateway. Delays between two connections take no time. */
async function follow(change: Partial<GatewayRun> = {}) {
  const origin = await startFakeChat(syntheticToken)
  const { gateway, url } = origin
  const host = manualClockHost()
  const stop = new AbortController()
  const events: string[] = []
  const sessions: number[] = []
  const skip = () => {
    if (host.sleeps().some((ms) => ms <= maxSkippedMs)) host.advance(maxSkippedMs)
  }
  const clock = setInterval(skip, 5)
  const outcome = followGateway(
    { host, outbound: outboundTo([url]), allowedOrigins: () => [url] },
    {
      findUrl: async () => url.replace(/^http/, 'ws'),
      token: syntheticToken,
      tokenRef: 'BOT_TOKEN',
      intents: 7,
      onSession: () => sessions.push(gateway.received.length),
      onEvent: (type) => events.push(type),
      signal: stop.signal,
      ...change,
    },
  ).then(
    () => 'ended',
    (error: Error) => error.message,
  )
  onTestFinished(async () => {
    clearInterval(clock)
    stop.abort()
    await origin.stop()
  })
  const ops = () => gateway.received.map(({ op }) => op)
  return { gateway, host, stop, events, sessions, outcome, ops }
}

test('a session is begun with the token and intents, and stays alive', async () => {
  const { gateway, host, sessions, events, stop, outcome } = await follow()
  await expect.poll(() => sessions).toHaveLength(1)
  expect(gateway.received).toMatchObject([{ op: 2, d: { token: syntheticToken, intents: 7 } }])
  gateway.emit('MESSAGE_CREATE', {})
  await expect.poll(() => events).toEqual(['MESSAGE_CREATE'])

  host.advance(heartbeatMs)
  await expect.poll(() => gateway.heartbeats).toEqual([2])
  gateway.send(1)
  await expect.poll(() => gateway.heartbeats).toEqual([2, 2])
  stop.abort()
  expect(await outcome).toBe('ended')
})

test.each<[string, (kit: Awaited<ReturnType<typeof follow>>) => void | Promise<void>]>([
  ['a lost connection', ({ gateway }) => gateway.end()],
  ['a request to connect again', ({ gateway }) => gateway.send(7)],
  ['an invalid session that may be resumed', ({ gateway }) => gateway.send(9, true)],
  ['a close with a resumable code', ({ gateway }) => gateway.end(4_000)],
  [
    'a heartbeat without an answer',
    async ({ gateway, host }) => {
      gateway.mute()
      host.advance(heartbeatMs)
      await expect.poll(() => gateway.heartbeats).toHaveLength(1)
      host.advance(heartbeatMs)
    },
  ],
])('after %s the session is resumed, and no event is lost', async (_name, fault) => {
  const kit = await follow()
  await expect.poll(() => kit.sessions).toHaveLength(1)
  kit.gateway.emit('FIRST', {})
  await expect.poll(() => kit.events).toEqual(['FIRST'])
  await fault(kit)

  await expect.poll(() => kit.ops()).toEqual([2, 6])
  kit.gateway.emit('SECOND', {})
  await expect.poll(() => kit.events).toEqual(['FIRST', 'SECOND'])
  expect(kit.gateway.received.at(-1)).toMatchObject({ d: { session_id: 'session-0', seq: 2 } })
  expect(kit.sessions).toHaveLength(1)
})

test.each<[string, (kit: Awaited<ReturnType<typeof follow>>) => void, readonly number[]]>([
  ['an invalid session', ({ gateway }) => gateway.send(9, false), [2, 2]],
  ['a session timeout', ({ gateway }) => gateway.end(4_009), [2, 2]],
  [
    'a resume that is refused',
    ({ gateway }) => {
      gateway.forgetSessions()
      gateway.end()
    },
    [2, 6, 2],
  ],
])('after %s a new session begins', async (_name, fault, ops) => {
  const kit = await follow()
  await expect.poll(() => kit.sessions).toHaveLength(1)
  fault(kit)

  await expect.poll(() => kit.sessions).toHaveLength(2)
  expect(kit.ops()).toEqual(ops)
})

test('events while the client is away are sent again', async () => {
  const { gateway, sessions, events, ops } = await follow()
  await expect.poll(() => sessions).toHaveLength(1)
  gateway.end()
  gateway.emit('MISSED', {})

  await expect.poll(() => events).toEqual(['MISSED'])
  expect(ops()).toEqual([2, 6])
})

test.each([
  [4_014, 'intents for message content'],
  [4_012, 'no longer served'],
])('a gateway that closes with %i ends the run', async (refusal, message) => {
  const kit = await follow()
  await expect.poll(() => kit.sessions).toHaveLength(1)
  kit.gateway.refusal = refusal
  kit.gateway.end(4_009)

  expect(await kit.outcome).toContain(message)
})

test('a refused token names its secret, and not itself', async () => {
  const { outcome } = await follow({ token: ['another', 'synthetic', 'token'].join('-') })
  const message = await outcome
  expect(message).toContain('BOT_TOKEN')
  expect(message).not.toContain('synthetic')
})

test.each([
  'wss://gateway.site.example/',
  'ws://gateway.discord.gg/',
  'wss://discord.gg.site.example/',
])('the token is not sent to a gateway of another host: %s', async (url) => {
  const { outcome, ops } = await follow({ findUrl: async () => url })
  expect(await outcome).toContain('another host')
  expect(ops()).toEqual([])
})

test('the address to resume at is checked like the first one', async () => {
  const { gateway, sessions, outcome } = await follow()
  await expect.poll(() => sessions).toHaveLength(1)
  gateway.resumeUrl = 'wss://gateway.site.example/'
  gateway.send(9, false)
  await expect.poll(() => sessions).toHaveLength(2)
  gateway.end()

  expect(await outcome).toContain('another host')
})
