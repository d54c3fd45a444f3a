import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { describeCommands, describeOperation } from '../../scripts/cli-commands.ts'
import { route } from '../../src/kernel/http/route.ts'
import * as value from '../../src/kernel/http/wire-values.ts'
import { runCli } from '../../src/surfaces/cli/cli.ts'
import type { CommandSpec } from '../../src/surfaces/cli/command.ts'
import type { Operation } from '../../src/surfaces/cli/operation.ts'
import { runOperation } from '../../src/surfaces/cli/run-operation.ts'
import { makeFolder } from '../support/make-folder.ts'

const page = { limit: value.integer('limit', { min: 1, max: 2, default: 2 }) }
const byId = z.object({ id: z.string().meta({ 'x-ids': 'GET /api/trays' }) })
const handle = () => Promise.reject(new Error('not called'))
const routes = [
  route({
    name: 'trays.list',
    method: 'GET',
    path: '/api/trays',
    permission: 'recall',
    summary: 'List trays.',
    query: z.object({
      agent_id: value.ignored,
      ...page,
      offset: value.integer('offset', { min: 0, max: 100, default: 0 }),
      since: value.time('since').describe('Built at or after this time.'),
      kind: z.enum(['oak', 'elm']).describe('Kind of wood.').optional(),
      isFull: value.flag,
    }),
    handle,
  }),
  route({
    name: 'trays.create',
    method: 'POST',
    path: '/api/trays',
    permission: 'remember',
    summary: 'Add a tray.',
    body: z.object({
      name: z.string(),
      width: z.number().optional(),
      labels: z.array(z.string()).optional(),
      plan: z.record(z.string(), z.unknown()).optional(),
    }),
    handle,
  }),
  route({
    name: 'trays.delete',
    method: 'DELETE',
    path: '/api/trays/:id',
    permission: 'modify',
    summary: 'Delete a tray.',
    params: byId,
    body: z.object({ reason: value.requiredText }),
    handle,
  }),
  route({
    name: 'trays.order',
    method: 'PUT',
    path: '/api/trays',
    permission: 'modify',
    summary: 'Order the trays.',
    body: z.array(z.string()),
    handle,
  }),
]

/** Each entry is what an operation costs. */
const table: readonly Operation[] = [
  { command: 'trays list', route: 'GET /api/trays', columns: { tray: 'name', wood: 'kind' } },
  {
    command: 'trays create',
    route: 'POST /api/trays',
    arguments: ['name'],
    examples: ['reverie trays create tall'],
  },
  {
    command: 'trays delete',
    route: 'DELETE /api/trays/:id',
    examples: ['reverie trays delete 0195f3a0'],
  },
  {
    command: 'trays order',
    route: 'PUT /api/trays',
    confirm: 'Order them?',
    render: () => 'Ordered.',
  },
]
/** As the build writes them into a file. */
const specs: readonly CommandSpec[] = JSON.parse(
  JSON.stringify(table.map((operation) => describeOperation(operation, routes))),
)
const commands = specs.map((spec) => ({
  ...spec,
  run: (call: Parameters<typeof runOperation>[0]) => {
    const { request } = spec
    if (!request) throw new Error('no request')
    return runOperation(call, spec, request, table)
  },
}))

interface Sent {
  readonly call: string
  readonly body: unknown
}

const trays = [1, 2, 3].map((count) => ({
  id: `0195f3a0-000${count}`,
  name: `tray ${count}`,
  kind: 'oak',
}))
const sent: Sent[] = []
const server = createServer(async (request, response) => {
  const body = await text(request)
  const url = new URL(request.url ?? '', 'http://localhost')
  sent.push({ call: `${request.method} ${request.url}`, body: body && JSON.parse(body) })
  const { searchParams } = url
  const offset = Number(searchParams.get('offset') ?? 0)
  const prefix = searchParams.get('id_prefix') ?? ''
  const found = searchParams.get('kind') === 'elm' ? [] : trays
  const rows = found.filter(({ id }) => id.startsWith(prefix)).slice(offset, offset + 2)
  response.setHeader('content-type', 'application/json')
  const isList = request.method === 'GET' && url.pathname === '/api/trays'
  response.statusCode = url.pathname.endsWith('/gone') ? 404 : 200
  const reply = isList ? { trays: rows, total: found.length } : { id: 'x', code: 'not_found' }
  response.end(JSON.stringify(reply))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())
beforeEach(() => {
  sent.length = 0
})

function run(...args: readonly string[]) {
  return runLine([...args, '--url', url])
}

async function runLine(args: readonly string[]) {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk)
      return true
    }),
  )
  const log = vi.spyOn(console, 'log').mockImplementation((line) => {
    written.stdout += `${line}\n`
  })
  const absent = () => Promise.reject(new Error('not here'))
  const program = { version: '1.0.0', runDaemon: absent, checkStart: absent }
  try {
    const code = await runCli(args, program, commands)
    return { code, ...written }
  } finally {
    for (const spy of [...spies, log]) spy.mockRestore()
  }
}

describe('one entry of the table of operations adds a command', () => {
  test('with help from the schemas of its route', async () => {
    const { code, stdout } = await run('trays', 'list', '--help')

    expect(code).toBe(0)
    expect(stdout).toContain('List trays\n')
    expect(stdout).toMatch(/--limit <n> +maximum number of results/)
    expect(stdout).toMatch(/--since <time> +built at or after this time: an ISO time/)
    expect(stdout).toMatch(/--kind <kind> +kind of wood \(choices: "oak", "elm"\)/)
    expect(stdout).toMatch(/--is-full +is full/)
    expect(stdout).toMatch(/--all +read every page/)
    expect(stdout).toContain('Examples:\n  $ reverie trays list')
    expect(stdout).not.toContain('agent-id')
  })

  test('with a table for people, and the reply as it is for programs', async () => {
    const { code, stdout } = await run('trays', 'list', '--kind', 'oak', '--is-full')

    expect({ code, call: sent[0]?.call }).toEqual({
      code: 0,
      call: 'GET /api/trays?kind=oak&isFull=true',
    })
    expect(stripVTControlCharacters(stdout)).toMatch(
      /tray +wood.*\n.*tray 1 +oak.*\ntray 2 +oak.*\n2 of 3\n$/s,
    )
    const json = await run('trays', 'list', '--json')
    expect(JSON.parse(json.stdout)).toEqual({ trays: trays.slice(0, 2), total: 3 })
  })

  test('that reads every page with --all, and reports an empty list', async () => {
    const { stdout } = await run('trays', 'list', '--all', '--json')

    expect(JSON.parse(stdout).trays).toEqual(trays)
    expect((await run('trays', 'list', '--kind', 'elm')).stdout).toBe('Nothing was found.\n')
  })

  test('whose noun is accepted in singular and plural; the plural alone lists', async () => {
    expect((await run('trays', '--json')).stdout).toContain('tray 1')
    expect((await run('tray', 'list', '--json')).stdout).toContain('tray 1')
  })

  test.each([
    [['--limit', 'many'], 'It must be a whole number'],
    [['--kind', 'ash'], 'Allowed choices are oak, elm'],
    [['--since', 'soon'], '"2 weeks ago"'],
    [['--unknown'], "unknown option '--unknown'"],
  ])('that validates %j before it sends anything', async (args, error) => {
    const { code, stderr } = await run('trays', 'list', ...args, '--json')

    expect({ code, sent }).toEqual({ code: 2, sent: [] })
    expect(JSON.parse(stderr)).toMatchObject({
      error: expect.stringContaining(error),
      hint: 'reverie trays list --help',
    })
  })

  test('with body fields as options: repeated lists, numbers, JSON and files', async () => {
    const file = join(await makeFolder(), 'plan.json')
    await writeFile(file, '{"boards": 3}')
    const labels = ['--labels', 'a', '--labels', 'b']

    await run('trays', 'create', 'tall', '--width', '1.5', ...labels, '--plan', `@${file}`)
    await run('trays', 'create', 'low', '--plan', '{"boards": 1}')

    const body = { name: 'tall', width: 1.5, labels: ['a', 'b'], plan: { boards: 3 } }
    expect(sent).toEqual([
      { call: 'POST /api/trays', body },
      { call: 'POST /api/trays', body: { name: 'low', plan: { boards: 1 } } },
    ])
    expect((await run('trays', 'create', 'x', '--plan', '{')).code).toBe(2)
  })

  test('with the whole body as one option, and a text in place of the reply', async () => {
    const { stdout } = await run('trays', 'order', '--body', '["b", "a"]', '--yes')

    expect(sent).toEqual([{ call: 'PUT /api/trays', body: ['b', 'a'] }])
    expect(stdout).toBe('Ordered.\n')
    expect((await run('trays', 'order', '--body', '[]')).code).toBe(2)
  })

  test('that finds an id by its prefix, requires a reason and a confirmation', async () => {
    const reason = ['--reason', 'broken']
    const { code } = await run('trays', 'delete', '0195f3a0-0003', ...reason, '--yes')

    expect(code).toBe(0)
    expect(sent.map(({ call }) => call)).toEqual([
      'GET /api/trays?id_prefix=0195f3a0-0003&limit=11',
      'DELETE /api/trays/0195f3a0-0003',
    ])
    expect(sent[1]?.body).toEqual({ reason: 'broken' })
    expect((await run('trays', 'delete', '0195f3a0', ...reason, '--yes')).code).toBe(6)
    expect((await run('trays', 'delete', 'gone', '--yes')).code).toBe(2)
    const unconfirmed = await run('trays', 'delete', 'gone', ...reason, '--json')
    expect(JSON.parse(unconfirmed.stderr)).toMatchObject({ code: 'not_confirmed' })
  })

  test('that names what does not exist', async () => {
    const { code, stderr } = await run('trays', 'delete', 'gone', '--reason', 'r', '--yes')

    expect(code).toBe(4)
    expect(stderr).toContain('there is no tray gone')
    expect(stderr).toContain('reverie trays list')
  })

  test('with completion', async () => {
    expect((await runLine(['complete', '--', 'trays', 'cre'])).stdout).toContain('create\t')
  })
})

test('an operation without its route, or with arguments and no example, fails the build', () => {
  const absent = { command: 'trays move', route: 'POST /api/trays/move' }
  expect(() => describeOperation(absent, routes)).toThrow('trays move: there is no route')
  const silent = { command: 'trays add', route: 'POST /api/trays', arguments: ['name'] }
  expect(() => describeOperation(silent, routes)).toThrow('needs examples')
})

test('the commands of operations follow the others of their noun', () => {
  const flows = ['config get [key]', 'remember <text>'].map((usage) => ({
    usage,
    summary: '',
    examples: [],
  }))
  const added = ['config list', 'trays list'].map((command) => ({
    command,
    route: 'GET /api/trays',
  }))

  expect(describeCommands(flows, routes, added).map(({ usage }) => usage)).toEqual([
    'config get [key]',
    'config list',
    'remember <text>',
    'trays list',
  ])
})
