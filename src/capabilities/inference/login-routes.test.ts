import { expect, test } from 'vitest'
import { tokenOf } from '../../../test/support/oauth-provider.ts'
import { serve } from '../../kernel/testing/serve.ts'
import { loginRoutes } from './login-routes.ts'
import { createHarness, startProvider } from './oauth/oauth.fixture.ts'

async function startRoutes() {
  const upstream = await startProvider()
  const { logins } = createHarness(upstream)
  const url = await serve(loginRoutes(logins))
  const post = async (path: string, body: object = {}, signal?: AbortSignal) =>
    await fetch(`${url}/api/inference/oauth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
  return { upstream, logins, post }
}

interface Frame {
  readonly event: string
  readonly data: Readonly<Record<string, string>>
}

/** The named events of a stream, as they arrive. */
async function* readFrames(response: Response): AsyncGenerator<Frame> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const [, event = '', data = '{}'] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      if (event) yield { event, data: JSON.parse(data) }
    }
  }
}

test('a login streams its steps, takes a pasted code, and ends connected', async () => {
  const { upstream, logins, post } = await startRoutes()
  const response = await post('/login/portal')
  const events: string[] = []
  const seen: Record<string, string> = {}
  for await (const { event, data } of readFrames(response)) {
    events.push(event)
    Object.assign(seen, data)
    expect(data).toMatchObject({ type: event })
    if (event !== 'manual_code') continue
    const value = upstream.approve(seen['url'] ?? '')
    const { sessionId, responseId } = seen
    const reply = await post('/complete', { sessionId, responseId, value })
    expect([reply.status, await reply.json()]).toEqual([200, { success: true }])
  }

  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(response.headers.get('x-svc-oauth-session-id')).toBe(seen['sessionId'])
  expect(events).toEqual(['session', 'auth', 'manual_code', 'progress', 'connected', 'done'])
  expect(await logins.read('portal')).toBe(tokenOf('access', 1))
})

test('a client that disconnects ends the login', async () => {
  const { logins, post } = await startRoutes()
  const leaving = new AbortController()
  const response = await post('/login/portal', {}, leaving.signal)
  for await (const { event } of readFrames(response)) if (event === 'manual_code') break
  leaving.abort()

  // All eight are free again.
  for (let count = 0; count < 8; count++)
    await expect.poll(async () => (await post('/login/portal')).status).toBe(200)
  expect((await post('/login/portal')).status).toBe(429)
  logins.stop()
})

test.each([
  ['an unknown provider', '/login/none', {}, 404],
  ['an unknown login', '/disconnect/none', {}, 404],
  ['an answer without a value', '/complete', { sessionId: 'a', responseId: 'b' }, 400],
  ['an answer to no login', '/complete', { sessionId: 'a', responseId: 'b', value: 'c' }, 400],
  [
    'an answer that is too large',
    '/complete',
    { sessionId: 'a', responseId: 'b', value: 'x'.repeat(20_000) },
    413,
  ],
])('%s is refused', async (_, path, body, status) => {
  const { post } = await startRoutes()

  expect((await post(path, body)).status).toBe(status)
})

test('a credential is deleted once', async () => {
  const { post } = await startRoutes()
  for await (const { event } of readFrames(await post('/login/company')))
    expect(event).not.toBe('error')

  expect(await (await post('/disconnect/company')).json()).toEqual({
    success: true,
    disconnected: true,
  })
  expect(await (await post('/disconnect/company')).json()).toEqual({
    success: true,
    disconnected: false,
  })
})
