import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { clients } from '../support/mcp-client.ts'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startService()
const value = ['synthetic', 'Heath/Moor+Fen~', '8151'].join('-')
const replies: string[] = []
const authorizations: (string | undefined)[] = []
const server = createServer(({ headers }, response) => {
  authorizations.push(headers.authorization)
  response.statusCode = headers.authorization === `Bearer ${value}` ? 200 : 401
  response.end(`welcome ${headers.authorization}`)
}).listen(0, '127.0.0.1')
afterAll(async () => {
  server.close()
  await service.stop()
})

async function ask(call: string, more: Ask = {}) {
  const reply = await service.ask(call, { role: 'admin', ...more })
  replies.push(JSON.stringify(reply.body))
  return reply
}

const secrets = { HEATH: 'HEATH_TOKEN' }
const start = (command: string, more: object = {}) =>
  ask('POST /api/secrets/exec', { body: { command, secrets, ...more } })

async function run(command: string, more: object = {}) {
  const { status, body } = await start(command, more)
  expect(status).toBe(202)
  return await waitForEnd(String(body['id']))
}

async function waitForEnd(id: string) {
  return await vi.waitFor(
    async () => {
      const { body } = await ask(`GET /api/secrets/exec/${id}`)
      expect(['completed', 'failed']).toContain(body['status'])
      return body
    },
    { timeout: 20_000, interval: 50 },
  )
}

const sh = (script: string) => `sh -c '${script}'`

/** A command that sends the token to the server and prints its reply. */
function callServer(): string {
  const { port } = server.address() as AddressInfo
  const script = `fetch("http://127.0.0.1:${port}", { headers: { authorization: "Bearer " + process.env.HEATH } }).then(async (reply) => console.log(reply.status, await reply.text(), process.argv.length))`
  return `'${process.execPath}' -e '${script}'`
}

beforeAll(async () => {
  await ask('POST /api/secrets/HEATH_TOKEN', { body: { value } })
})

test('a command calls a server with a token that no reply contains', async () => {
  const job = await run(callServer())

  expect(job).toMatchObject({
    status: 'completed',
    result: { code: 0, timedOut: false, stdout: '200 welcome Bearer [REDACTED] 1\n' },
  })
  expect(authorizations).toEqual([`Bearer ${value}`])
})

test.each(['newest over HTTP', 'earlier over stdio'] as const)(
  'an agent with the MCP client %s calls the server with the token',
  async (kind) => {
    const client = await clients[kind](service, { token: service.tokenFor('admin') })
    const call = async (name: string, input: Record<string, unknown>) => {
      const { text } = await client.call(name, input)
      replies.push(text)
      return text
    }
    expect(await call('secret_list', {})).toContain('HEATH_TOKEN')
    const started = await call('secret_exec', { command: callServer(), secrets })
    const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(started) ?? []

    await vi.waitFor(
      async () =>
        expect(await call('secret_exec_status', { id })).toContain('200 welcome Bearer [REDACTED]'),
      { timeout: 20_000, interval: 50 },
    )
    expect(authorizations.at(-1)).toBe(`Bearer ${value}`)
    await client.close()
  },
)

test.each([
  ['plain', 'echo "$HEATH"'],
  ['in base64', 'echo "$HEATH" | base64'],
  ['in wrapped base64', 'printf "user:$HEATH" | base64 -w 8 >&2'],
  ['in chunks', 'printf %s "$HEATH" | head -c 9; sleep 0.1; printf %s "$HEATH" | tail -c +10'],
  ['behind 1 MiB', 'head -c 1048570 /dev/zero | tr "\\0" x; echo "$HEATH"'],
])('an output that contains the value %s is redacted', async (_, script) => {
  const { result } = await run(sh(script))

  expect(JSON.stringify(result)).toMatch(/\[REDA/)
})

test('output above the limit is marked', async () => {
  const { result } = await run(sh('head -c 1100000 /dev/zero | tr "\\0" x'))
  const { stdout, ...rest } = Object(result)

  expect(rest).toMatchObject({
    stdoutTruncated: true,
    stderrTruncated: false,
    stdoutBytes: 1_100_000,
  })
  expect(stdout.slice(-40)).toMatch(/x\n\[svc secret exec: stdout truncated\]\n$/)
})

test('a command receives basic variables only, runs in the workspace and reads no input', async () => {
  const { result } = await run(sh('env; pwd; cat'))
  const { stdout } = Object(result)

  expect(stdout).toContain('HEATH=[REDACTED]')
  expect(stdout).toContain(service.workspace)
  expect(stdout).not.toMatch(/^SVC_/m)
})

test('a timeout ends the command with all its children', async () => {
  const mark = 'heath-4711'
  const script = `sleep 600.4711 & exec sleep 600.4711 # ${mark}`
  const { result } = await run(sh(script), { timeoutMs: 1_000 })

  expect(result).toMatchObject({ code: 124, timedOut: true })
  expect(Object(result).stderr).toContain('timed out after 1000 ms')
  await vi.waitFor(async () => expect(await listCommands()).not.toContain('600.4711'), 10_000)
})

async function listCommands(): Promise<string> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(read)).join('\n')
}

test('a missing secret or program fails the job, a refused character ends with code 1', async () => {
  expect(await run('true', { secrets: { A: 'ABSENT' } })).toMatchObject({
    status: 'failed',
    error: 'The secret for A does not exist. List the names with reverie secret list.',
  })
  expect(await run('no-such-program')).toMatchObject({ status: 'failed' })
  expect(await run('echo a | cat')).toMatchObject({
    status: 'completed',
    result: { code: 1, timedOut: false, stdout: '', stderr: expect.stringContaining('quote') },
  })
})

test.each([
  [{ command: '' }, 'command is required'],
  [{ command: 'a\0b' }, 'command must not contain NUL'],
  [{ secrets: {} }, 'non-empty secrets map is required'],
  [{ secrets: undefined }, 'non-empty secrets map is required'],
  [{ secrets: { PATH: 'HEATH_TOKEN' } }, 'must not be set'],
  [{ secrets: { LD_PRELOAD: 'HEATH_TOKEN' } }, 'must not be set'],
  [{ secrets: { 'A-B': 'HEATH_TOKEN' } }, 'Invalid environment variable name'],
  [{ secrets: { A: 'other://HEATH_TOKEN' } }, 'Invalid secret reference'],
])('the body %# is refused', async (body, error) => {
  const reply = await start('true', body)

  expect(reply.status).toBe(400)
  expect(reply.body['error']).toContain(error)
})

test('a secret of the path is passed under its own name', async () => {
  const body = { command: sh('test -n "$HEATH_TOKEN"') }
  const reply = await ask('POST /api/secrets/HEATH_TOKEN/exec', { body })

  expect(reply.status).toBe(202)
  expect(await waitForEnd(String(reply.body['id']))).toMatchObject({ result: { code: 0 } })
})

test('the 69th command is refused, and unknown jobs are not found', async () => {
  const started = []
  for (let index = 0; index < 68; index++) started.push(await start('sleep 600'))
  const refused = await start('true')

  expect(started.map(({ status }) => status)).not.toContain(429)
  expect([refused.status, refused.body['error']]).toEqual([429, 'secret exec queue is full'])
  expect((await ask('GET /api/secrets/exec/none')).status).toBe(404)
  await service.restart()
  expect((await ask(`GET /api/secrets/exec/${started[0]?.body['id']}`)).status).toBe(404)
}, 60_000)

test('the value is in no reply, file, table or log', async () => {
  await expectNoLeak(service, [value], replies)
})
