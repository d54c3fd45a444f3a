import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { removeFolder } from '../support/make-folder.ts'
import { type Service, startService } from '../support/start-service.ts'

interface Options {
  readonly baseUrl: string
  readonly token?: string
  readonly agentId?: string
  readonly sessionKey?: string
  readonly timeoutMs?: number
}

type Ask = (path: string, init?: object) => Promise<{ data: Readonly<Record<string, unknown>> }>
type Client = Readonly<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Ask>>

const remember = '/api/memory/remember'
const tea = { content: 'I like my tea green' }
const compilerOptions = {
  module: 'nodenext',
  target: 'es2024',
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: ['node'],
}

const run = promisify(execFile)
const built = pathToFileURL('dist/client/index.js').href
const { createReverieClient: createClient } = (await import(built)) as {
  createReverieClient(options: Options): Client
}

const notTaken = [
  `await reverie.POST('/api/memory/remember')`,
  `await reverie.POST('/api/memory/remember', { body: { content: 1 } })`,
  `await reverie.GET('/api/nowhere')`,
  `await reverie.GET('/api/memory/{id}')`,
  `const id: number = (await reverie.POST('/api/memory/remember', { body: { content: '' } })).data.id`,
]

let service: Service
let folder: string
let complaints: string

beforeAll(async () => {
  service = await startService({ mode: 'local' })
  folder = await mkdtemp(join(tmpdir(), 'reverie-client-'))
  // A package that has installed this one.
  await mkdir(join(folder, 'node_modules'))
  await symlink(process.cwd(), join(folder, 'node_modules', 'reverie'))
  await symlink(resolve('node_modules/@types'), join(folder, 'node_modules', '@types'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await writePrograms()
  complaints = await compile()
})

afterAll(async () => {
  await service.stop()
  await removeFolder(folder)
})

test('the code in README.md compiles and finds what it remembers', async () => {
  expect(complaints).not.toContain('shown.ts')
  const { stdout } = await run(process.execPath, [join(folder, 'shown.ts')])
  expect(stdout).toBe('I like my tea green\n')
})

test('invalid requests do not compile', () => {
  expect(complaints).toBe('')
})

describe('a call', () => {
  test('sends the name of the configured agent', async () => {
    const { url, requests } = await startFakeDaemon(answerWith({ id: 'm1' }))
    const who = { token: 'secret', agentId: 'ada', sessionKey: 's1' }

    const { data } = await createClient({ baseUrl: url, ...who }).POST(remember, { body: tea })

    expect(data).toEqual({ id: 'm1' })
    expect(requests).toMatchObject([
      {
        path: remember,
        body: tea,
        headers: {
          authorization: 'Bearer secret',
          'x-svc-agent-id': 'ada',
          'x-svc-session-key': 's1',
        },
      },
    ])
  })

  test('is repeated with the same body while the service starts', async () => {
    const { url, requests } = await startFakeDaemon((response) =>
      requests.length < 3 ? refuse(response, 'starting') : answerWith({ id: 'm1' })(response),
    )

    const { data } = await createClient({ baseUrl: url }).POST(remember, { body: tea })

    expect(data).toEqual({ id: 'm1' })
    expect(requests.map(({ body }) => body)).toEqual([tea, tea, tea])
  })

  test('fails after the maximum number of attempts', async () => {
    const { url, requests } = await startFakeDaemon((response) => refuse(response, 'starting'))
    const refused = createClient({ baseUrl: url }).POST(remember, { body: tea })

    await expect(refused).rejects.toMatchObject({ code: 'starting', status: 503 })
    expect(requests).toHaveLength(4)
  })

  test('is not repeated if it may have been applied', async () => {
    const { url, requests } = await startFakeDaemon((response) =>
      refuse(response, 'outbound_timeout'),
    )
    const refused = createClient({ baseUrl: url }).POST(remember, { body: tea })

    await expect(refused).rejects.toMatchObject({ code: 'outbound_timeout', status: 503 })
    expect(requests).toHaveLength(1)
  })

  test('is repeated when a read gets Retry-After', async () => {
    const { url, requests } = await startFakeDaemon((response) =>
      requests.length < 2 ? refuse(response, 'outbound_timeout') : answerWith({})(response),
    )

    expect((await createClient({ baseUrl: url }).GET('/health')).data).toEqual({})
    expect(requests).toHaveLength(2)
  })

  test('throws the reason and the request id of a refusal', async () => {
    const client = createClient({ baseUrl: service.url })
    const refused = client.GET('/api/memory/{id}', {
      params: { path: { id: 'absent' } },
      headers: { 'x-svc-request-id': 'r1' },
    })

    await expect(refused).rejects.toMatchObject({
      name: 'ReverieError',
      status: 404,
      code: 'not_found',
      requestId: 'r1',
      message: expect.stringMatching(/\w/),
    })
  })

  test('keeps the reply of a refusal without a reason', async () => {
    const notReady = { status: 'not_ready', reasons: ['starting'] }
    const { url } = await startFakeDaemon(answerWith(notReady, 503))
    const refused = createClient({ baseUrl: url }).GET('/health/ready')

    await expect(refused).rejects.toMatchObject({
      code: 'http_503',
      status: 503,
      details: notReady,
    })
  })

  test.each([200, 502])('reports a reply of another program with status %i', async (status) => {
    const { url } = await startFakeDaemon((response) => response.writeHead(status).end('<html>'))
    const refused = createClient({ baseUrl: url }).GET('/health')

    await expect(refused).rejects.toMatchObject({ code: 'not_reverie', status })
  })

  test('times out without an answer', async () => {
    const { url } = await startFakeDaemon(() => undefined)
    const refused = createClient({ baseUrl: url, timeoutMs: 50 }).POST(remember, { body: tea })

    await expect(refused).rejects.toMatchObject({ code: 'too_slow', status: null })
  })

  test('reports that no server listens', async () => {
    const refused = createClient({ baseUrl: 'http://127.0.0.1:1' }).GET('/health')

    await expect(refused).rejects.toMatchObject({ code: 'unreachable', status: null })
  })
})

function refuse(response: ServerResponse, code: string): void {
  response.setHeader('retry-after', '0')
  answerWith({ error: 'Not now.', code }, 503)(response)
}

async function writePrograms(): Promise<void> {
  const readme = await readFile('README.md', 'utf8')
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  await writeFile(join(folder, 'shown.ts'), shown.replace('http://127.0.0.1:3850', service.url))
  const head = `import { createReverieClient } from 'reverie/client'\nconst reverie = createReverieClient()`
  const refused = notTaken.map((line) => `// @ts-expect-error\n${line}`)
  await writeFile(join(folder, 'refused.ts'), [head, ...refused, 'console.log(id)'].join('\n'))
}

/** Compiler messages for all programs in the folder. */
async function compile(): Promise<string> {
  const args = [resolve('node_modules/typescript/bin/tsc'), '-p', folder]
  return await run(process.execPath, args).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}
