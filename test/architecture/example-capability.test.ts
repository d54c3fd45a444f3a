import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'

const store = `
import type { Db } from '../../kernel/db/database.ts'
type Tables = { examples: { text: string } }
export async function insertExample(db: Db, text: string): Promise<void> {
  await db.withTables<Tables>().insertInto('examples').values({ text }).execute()
}
export async function listExamples(db: Db): Promise<string[]> {
  const rows = await db.withTables<Tables>().selectFrom('examples').select('text').execute()
  return rows.map(({ text }) => text)
}
`
const index = `
import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import { defineEvent, type Events } from '../../kernel/events/events.ts'
import { toHealth } from '../../kernel/health/health.ts'
import { route } from '../../kernel/http/route.ts'
import { tool } from '../../kernel/http/tool.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import { insertExample, listExamples } from './store.ts'

const exampleAdded = defineEvent<{ text: string }>('example.added')
const migration = {
  id: '20991231T2359-examples',
  sqlite: ['create table examples (text text not null)'],
  postgres: ['create table examples (text text not null)'],
}
export const exampleModule = { name: 'example', migrations: [migration] } as const
export function createExample({ db, events, jobs }: { db: Db; events: Events; jobs: Jobs }) {
  events.on(exampleAdded, ({ text }) => insertExample(db, 'event ' + text))
  return {
    routes: [
      route({
        name: 'example.list',
        method: 'GET',
        path: '/api/example',
        permission: 'recall',
        reply: z.object({ texts: z.array(z.string()) }),
        handle: async () => ({ texts: await listExamples(db) }),
      }),
      route({
        name: 'example.add',
        method: 'POST',
        path: '/api/example',
        permission: 'remember',
        body: z.object({ text: z.string() }),
        reply: z.object({ added: z.literal(true) }),
        handle: async ({ body }) => {
          await jobs.enqueue(db, { kind: 'example.job', payload: body.text })
          events.emit(exampleAdded, body)
          return { added: true as const }
        },
      }),
    ],
    tools: [
      tool({
        name: 'example_list',
        title: 'List examples',
        description: 'Lists the examples.',
        effect: 'reads',
        route: 'example.list',
        input: z.object({}),
        toRouteInput: () => ({}),
      }),
    ],
    jobs: [
      { kind: 'example.job', run: ({ payload }: { payload: unknown }) => insertExample(db, 'job ' + payload) },
    ],
    schedules: [
      { name: 'example.tick', everyMs: 200, run: () => insertExample(db, 'schedule') },
    ],
    health: { name: 'example', check: async () => toHealth([]) },
  }
}
`

test('a capability is one folder, one registration and one row of architecture.cjs', async () => {
  const folder = await copyProject()
  const capability = join(folder, 'src/capabilities/example')
  await mkdir(capability)
  await writeFile(join(capability, 'store.ts'), store)
  await writeFile(join(capability, 'index.ts'), index)
  await edit(join(folder, 'src/daemon/capabilities.ts'), [
    [
      'export const contentRegistry',
      `import { createExample, exampleModule } from '../capabilities/example/index.ts'\nexport const contentRegistry`,
    ],
    ['createRegistry<Kernel>()', 'createRegistry<Kernel>().add(exampleModule, createExample)'],
  ])
  await edit(join(folder, 'architecture.cjs'), [
    ['const uses = {', 'const uses = {\n  example: [],'],
  ])

  const url = await startDaemon(folder)
  const ask = async (path: string, init?: RequestInit) =>
    (await (await fetch(`${url}${path}`, init)).json()) as Reply
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'one' })
  expect(await ask('/api/example', { method: 'POST', headers, body })).toEqual({ added: true })

  await vi.waitFor(
    async () =>
      expect((await ask('/api/example')).texts).toEqual(
        expect.arrayContaining(['event one', 'job one', 'schedule']),
      ),
    { timeout: 20_000, interval: 100 },
  )
  expect((await ask('/health/ready')).checks.capabilities['example']?.status).toBe('ok')
  expect(await listTools(url)).toContain('example_list')
  await checkBoundaries(folder)
}, 90_000)

interface Reply {
  readonly texts: readonly string[]
  readonly checks: {
    readonly capabilities: Readonly<Record<string, { readonly status: string }>>
  }
}

/** Links to the sources, settings, packages and models of the project. */
async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-example-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp('src', join(folder, 'src'), { recursive: true })
  for (const file of ['package.json', 'tsconfig.json', 'architecture.cjs'])
    await cp(file, join(folder, file))
  for (const name of ['node_modules', 'models']) await symlink(resolve(name), join(folder, name))
  return folder
}

async function edit(file: string, replacements: readonly (readonly [string, string])[]) {
  let text = await readFile(file, 'utf8')
  for (const [before, after] of replacements) {
    expect(text).toContain(before)
    text = text.replace(before, after)
  }
  await writeFile(file, text)
}

async function startDaemon(folder: string): Promise<string> {
  const env = { HOME: folder, SVC_PATH: join(folder, 'workspace'), SVC_PORT: '0' }
  const daemon = spawn(process.execPath, ['src/main.ts', 'start', '--foreground'], {
    cwd: folder,
    env,
  })
  const output: string[] = []
  for (const stream of [daemon.stdout, daemon.stderr])
    stream.on('data', (chunk) => output.push(`${chunk}`))
  const ended = new Promise((resolve) => daemon.once('exit', resolve))
  onTestFinished(async () => {
    daemon.kill()
    await ended
  })
  return vi.waitFor(
    () => {
      const [, url] = /listening at (\S+)/.exec(output.join('')) ?? []
      if (!url) throw new Error(`The daemon does not listen: ${output.join('')}`)
      return url
    },
    { timeout: 30_000, interval: 50 },
  )
}

async function listTools(url: string): Promise<string[]> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const reply = await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text()
  return [...reply.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name)
}

async function checkBoundaries(folder: string): Promise<void> {
  const program = resolve('node_modules/.bin/depcruise')
  await promisify(execFile)(program, ['src', '--config', 'architecture.cjs'], { cwd: folder })
}
