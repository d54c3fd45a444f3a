import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { makeFolder } from '../support/make-folder.ts'
import { clients } from '../support/mcp-client.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'
import { testHome } from '../support/test-home.ts'

const params = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
}
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
const markerIn = (home: string) => join(home, '.svc', '.daemon', 'hook-timeout')
const lineOf = (message: unknown) => `${JSON.stringify(message)}\n`
const kinds = ['newest over stdio', 'earlier over stdio'] as const

async function connect(kind: (typeof kinds)[number], url: string, home = testHome) {
  const client = await clients[kind]({ url, tokenFor: () => '' }, { home })
  onTestFinished(() => client.close())
  return client
}

test.each(kinds)(
  '%s: without a daemon tools are listed, and a call names the start command',
  async (kind) => {
    const client = await connect(kind, 'http://127.0.0.1:9')

    const result = await client.call('memory_search', { query: 'x' })

    expect(result).toMatchObject({
      isError: true,
      text: 'no service answers at http://127.0.0.1:9. Start it with: reverie start',
    })
    await expect(client.call('memory_burn')).rejects.toThrow('Unknown tool: memory_burn')
    const service = await startService({ engine: 'sqlite' })
    onTestFinished(() => service.stop())
    const online = await clients[kind](service)
    onTestFinished(() => online.close())
    expect(await client.listTools()).toEqual(await online.listTools())
  },
)

test('without a daemon a ping is answered, and the exit code reports it to a person', async () => {
  const env = { SVC_URL: 'http://127.0.0.1:9', SVC_PATH: await makeFolder() }
  const input = [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'ping' },
  ]
    .map(lineOf)
    .join('')
  const { code, stdout, stderr } = await runReverie(['mcp'], { env, input })

  const replies = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(code).toBe(5)
  expect(replies.toSorted((a, b) => a.id - b.id)).toMatchObject([
    { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'reverie' } } },
    { id: 2, result: {} },
  ])
  expect(stderr.split('reverie start')).toHaveLength(3)
})

test.each(kinds)(
  '%s: a daemon that hangs costs seconds once, then almost nothing',
  async (kind) => {
    const { url } = await startFakeDaemon(() => undefined)
    const home = await makeFolder()
    const started = performance.now()
    const client = await connect(kind, url, home)
    await client.listTools()
    expect(await readFile(markerIn(home), 'utf8')).toBe(url)
    expect(performance.now() - started).toBeLessThan(9000)

    const before = performance.now()
    expect(await client.call('memory_search', { query: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/did not answer within .* s\. .*reverie doctor/),
    })
    expect(performance.now() - before).toBeLessThan(2000)
  },
)

test('after a time-out of tools hooks give up early, and vice versa', async () => {
  const { url } = await startFakeDaemon(() => undefined)
  const env = { SVC_URL: url, HOME: await makeFolder() }
  const measure = async (args: readonly string[], input: string) => {
    const started = performance.now()
    await runReverie(args, { env, input, ...(args[0] === 'hook' && { command: ['bin/reverie'] }) })
    return performance.now() - started
  }
  const hook = ['hook', 'session-start', '-H', 'codex']

  expect(await measure(['mcp'], lineOf(initialize))).toBeGreaterThan(2500)
  expect(await measure(hook, '{}')).toBeLessThan(2500)
  expect(await measure(['mcp'], lineOf(initialize))).toBeLessThan(2500)
})

test('a daemon that hangs leaves no marker in the home that other tests share', async () => {
  await expect(readFile(markerIn(testHome), 'utf8')).rejects.toThrow('ENOENT')
})

test('a slow daemon is awaited while it reports that it is alive', async () => {
  const reply = { jsonrpc: '2.0', id: 1, result: { late: true } }
  const { url } = await startFakeDaemon((response) => {
    if (response.req.url === '/mcp') setTimeout(() => answerWith(reply)(response), 5000)
    else answerWith({ status: 'alive' })(response)
  })
  const { code, stdout } = await runReverie(['mcp'], {
    env: { SVC_URL: url },
    input: lineOf(initialize),
  })

  expect({ code, reply: JSON.parse(stdout) }).toEqual({ code: 0, reply })
})

test('stdout carries one message a line and nothing else, whatever the input', async () => {
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
