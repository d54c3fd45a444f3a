import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { reverieOf, runReverie } from '../support/run-reverie.ts'
import { type Service, type ServiceOptions, startService } from '../support/start-service.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())
const { run, json } = reverieOf(service)

const memories = [
  { content: 'plain words' },
  { content: 'two\nlines, a \t tab, "quotes", an emoji 🌿 and \u202eothers', tags: ['b', 'a'] },
  { content: '[note]: [tag]: that looks like a prefix', pinned: true, importance: 0.25 },
  { content: '[-]: critical: shouted', type: 'decision', who: 'grace', project: 'garden' },
  { content: 'for me alone', visibility: 'private', scope: 'draft', idempotencyKey: 'mine' },
  { content: 'from elsewhere', sourceType: 'mail', sourceId: 'm-1', sourcePath: '/mail/1' },
  { content: 'the rest of it', sourceType: 'mail', sourceId: 'm-1', sourcePart: '2' },
  { content: 'of a session', sessionId: 's-1', reviewAfter: '2027-01-01', runtimePath: 'plugin' },
]
for (const [n, memory] of memories.entries()) {
  const body = { ...memory, createdAt: `2026-01-0${n + 1}T00:00:00Z` }
  expect((await service.ask('POST /api/memory/remember', { body })).status).toBe(200)
}
const gone = await service.ask('POST /api/memory/remember', { body: { content: 'forgotten' } })
await service.ask(`DELETE /api/memory/${gone.body['id']}?reason=test`)

async function another(options: ServiceOptions = {}): Promise<Service> {
  const made = await startService({ engine: 'sqlite', ...options })
  onTestFinished(() => made.stop())
  return made
}

async function exportOf(service: Service): Promise<string> {
  const file = join(await makeFolder(), 'memories.jsonl')
  await reverieOf(service).json(['export', file])
  return readFile(file, 'utf8')
}

describe('export', () => {
  test('works: writes one memory per line, for its owner only, without forgotten ones', async () => {
    const file = join(await makeFolder(), 'memories.jsonl')

    expect(await json(['export', file])).toEqual({ file, memories: memories.length })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).content).toReversed()).toEqual([
      'plain words',
      'two\nlines, a \t tab, "quotes", an emoji 🌿 and \u202eothers',
      'critical: [-]: [tag]: that looks like a prefix',
      'critical: [-]: critical: shouted',
      'for me alone',
      'from elsewhere',
      'the rest of it',
      'of a session',
    ])
    expect(await run(['export', '-'])).toMatchObject({ stdout: `${lines.join('\n')}\n` })
  })

  test('refuses a missing folder, and creates no file', async () => {
    const { code, stderr } = await run(['export', '/nowhere/at/all.jsonl', '--json'])

    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: expect.stringContaining('ENOENT') })
  })

  test('who may: writes nothing for a caller without the permission to read', async () => {
    const folder = await makeFolder()
    const env = { SVC_URL: service.url, SVC_TOKEN: 'nonsense' }

    expect((await runReverie(['export', join(folder, 'memories.jsonl')], { env })).code).toBe(3)
    expect(await readdir(folder)).toEqual([])
  })
})

test('an export imported elsewhere is exported there with the same bytes', async () => {
  const written = await exportOf(service)
  const file = join(await makeFolder(), 'memories.jsonl')
  await writeFile(file, written)
  const fresh = await another()

  expect(await reverieOf(fresh).json(['import', file])).toMatchObject({
    imported: memories.length,
    duplicates: 0,
    rejected: 0,
  })
  expect(await exportOf(fresh)).toBe(written)
  expect(await reverieOf(fresh).json(['import', file])).toMatchObject({
    imported: 0,
    duplicates: memories.length,
    rejected: 0,
  })
  expect(await exportOf(fresh)).toBe(written)
})

test('a backup restored elsewhere is exported there with the same bytes', async () => {
  const written = await exportOf(service)
  const folder = await makeFolder()
  const archive = join(folder, 'all.tar.gz')
  const workspace = join(folder, 'restored')

  const made = await reverieOf(service, 'admin').json(['backup', archive])
  expect(await json(['restore', archive, '--into', workspace])).toMatchObject({
    folder: workspace,
    files: made['files'],
  })

  const restored = await another({ workspace })
  expect(await exportOf(restored)).toBe(written)
  const history = (of: Service) =>
    of.ask(`GET /api/memory/${gone.body['id']}/history`).then(({ body }) => body)
  expect(await history(restored)).toEqual(await history(service))
})
