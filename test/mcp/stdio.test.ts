import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
const lineOf = (message: unknown) => `${JSON.stringify(message)}\n`

test('without a daemon the client is told what to do, and the exit code says it too', async () => {
  const env = { SVC_URL: 'http://127.0.0.1:9', SVC_PATH: await makeFolder() }
  const { code, stdout, stderr } = await runReverie(['mcp'], { env, input: lineOf(initialize) })

  expect(code).toBe(5)
  expect(JSON.parse(stdout)).toEqual({
    ...{ jsonrpc: '2.0', id: 1 },
    error: {
      code: -32_000,
      message: 'no service answers at http://127.0.0.1:9. Start it with: reverie start',
    },
  })
  expect(stderr).toContain('reverie start')
})

test('stdout carries one message a line and nothing else, whatever comes in', async () => {
  const service = await startService({ engine: 'sqlite' })
  onTestFinished(() => service.stop())
  const env = { SVC_DAEMON_URL: service.url, SVC_TOKEN: 'worth.nothing' }
  const input = ['{', '', '7', lineOf({ ...initialize, id: 'a' })].join('\n')
  const { code, stdout } = await runReverie(['mcp'], { env, input })

  const replies = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(code).toBe(0)
  expect(replies.filter(({ id }) => id === null)).toHaveLength(2)
  expect(replies.find(({ id }) => id === 'a')).toMatchObject({
    error: { code: -32_000, message: expect.stringContaining('(unauthenticated)') },
  })
})
