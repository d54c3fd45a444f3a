import { afterAll, describe, expect, test } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json } = reverieOf(service)

const hook = async (event: string, body: object) => {
  const { status } = await service.ask(`POST /api/hooks/${event}`, {
    body: { harness: 'codex', runtimePath: 'plugin', ...body },
    headers: { 'x-svc-runtime-path': 'plugin' },
  })
  expect(status).toBe(200)
}
await hook('session-start', { sessionKey: 'open', project: '/work/pond' })
await hook('session-start', { sessionKey: 'ended' })
const transcript = 'User: where does the cormorant nest?\nAssistant: on the old pier.'
await hook('session-end', { sessionKey: 'ended', transcript })

test('sessions list has the open ones', async () => {
  expect(await json(['sessions', 'list'])).toMatchObject({ count: 1, sessions: [{ key: 'open' }] })
  expect((await run(['sessions', 'list'])).stdout).toMatch(/open +codex +\/work\/pond .* on/)
  const { stdout } = await run(['sessions', 'list', '--agent', 'bob'])
  expect(stdout).toBe('No session is open.\n')
})

test('a noun is accepted in singular and plural, and the plural alone lists', async () => {
  const listed = await json(['sessions', 'list'])

  expect(await json(['session', 'list'])).toEqual(listed)
  expect(await json(['sessions'])).toEqual(listed)
  expect((await run(['sessions', '--agent', 'bob'])).stdout).toBe('No session is open.\n')
  expect((await run(['session', 'show', 'ended'])).stdout).toContain('cormorant')
  expect((await run(['sessions', '--help'])).stdout).toContain('search [options] <query>')
})

describe('sessions show', () => {
  test('shows an open session, and the transcript of an ended one', async () => {
    expect(await json(['sessions', 'show', 'open'])).toMatchObject({
      key: 'open',
      session: { harness: 'codex' },
      transcript: null,
    })
    expect(await json(['sessions', 'show', 'ended'])).toMatchObject({
      key: 'ended',
      session: null,
      transcript: expect.stringContaining('the old pier'),
    })
    expect((await run(['sessions', 'show', 'ended'])).stdout).toMatch(
      /^Session ended is not open\.\n\n.*cormorant/,
    )
  })

  test.each(['show', 'bypass'])('%s exits with 4 for an unknown session', async (name) => {
    const { code, stderr } = await run(['sessions', name, 'nothing', '--json'])

    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'not_found',
      error: 'there is no session nothing',
      hint: expect.stringContaining('reverie sessions list'),
    })
  })
})

test('sessions search finds transcripts', async () => {
  expect(await json(['sessions', 'search', 'cormorant', '--limit', '3'])).toMatchObject({
    count: 1,
    hits: [{ sessionKey: 'ended' }],
  })
  expect((await run(['sessions', 'search', 'cormorant'])).stdout).toMatch(/^ended · .*\n.*nest/)
  expect((await run(['sessions', 'search', 'walrus'])).stdout).toContain('No transcript matches.')
})

test('sessions bypass switches the hooks of a session off and on', async () => {
  expect(await json(['sessions', 'bypass', 'open'])).toEqual({ key: 'open', bypassed: true })
  expect((await run(['sessions', 'list'])).stdout).toMatch(/\/work\/pond .* off/)
  expect((await run(['sessions', 'bypass', 'open', '--off'])).stdout).toContain('are on.')
})
