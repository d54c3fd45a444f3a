import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ mode: 'local', engine: 'sqlite' })
afterAll(() => service.stop())
const env = { SVC_URL: service.url, SVC_PATH: service.workspace }

test('a connector is added, synced in full and deleted with its documents', async () => {
  const folder = join(await makeFolder(), 'papers')
  await mkdir(folder)
  await writeFile(join(folder, 'a.md'), 'The alder grows at the weir.')
  await writeFile(join(folder, 'b.rst'), 'The hazel grows at the mill.')
  const run = async (...args: readonly string[]) => {
    const { stdout, code } = await runReverie([...args, '--json'], { env })
    expect(code, args.join(' ')).toBe(0)
    return JSON.parse(stdout)
  }

  const added = await run('connector', 'add', folder, '--glob', '**/*.md', '**/*.rst')
  expect(added).toMatchObject({ status: 'idle', documentCount: 2, lastError: null })
  expect(await run('connectors')).toMatchObject({ count: 1, connectors: [{ id: added.id }] })

  await rm(join(folder, 'b.rst'))
  const prefix = added.id.slice(0, 13)
  expect(await run('connector', 'sync', prefix)).toMatchObject({ documentCount: 2 })
  expect(await run('connector', 'sync', prefix, '--full')).toMatchObject({ documentCount: 1 })
  expect(await run('connector', 'delete', prefix, '--cascade', '--yes')).toEqual({ deleted: true })
  expect(await run('documents')).toMatchObject({ total: 0 })

  await rm(join(folder, 'a.md'))
  const { stderr } = await runReverie(['connector', 'add', folder], { env })
  expect(stderr).toContain('--glob "**/*" reads all files')
})

test.each([
  ['/no/such/file.pdf', '/no/such/file.pdf does not exist', 'Check the path'],
  ['.', '. is a folder', 'reverie connector add FOLDER --glob "**/*"'],
])('document add %s names the file and the remedy', async (path, error, hint) => {
  const { stderr, code } = await runReverie(['document', 'add', path, '--json'], { env })

  expect(code).toBe(2)
  expect(JSON.parse(stderr)).toEqual({
    code: 'unreadable',
    error,
    hint: expect.stringContaining(hint),
  })
})

test('files are imported as sources, exported, restored and deleted', async () => {
  const folder = await makeFolder()
  const [note, image, exported] = ['a.md', 'b.png', 'a.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(note, 'The rowan grows at the ford.')
  await writeFile(image, 'no text')
  const { stdout, stderr, code } = await runReverie(['import', 'files', note, image, '--json'], {
    env,
  })
  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'files_failed' })
  const { imported, failed, files } = JSON.parse(stdout)
  expect({ imported, failed }).toEqual({ imported: 1, failed: 1 })

  const run = async (...args: readonly string[]) =>
    JSON.parse((await runReverie([...args, '--json'], { env })).stdout)
  const [{ sourceId }] = files
  const { results } = await run('recall', 'where does the rowan grow')
  expect(results[0]).toMatchObject({ source_id: sourceId, trust: 'external' })
  expect(await run('source', 'export', sourceId, exported)).toMatchObject({ file: exported })
  expect(await run('source', 'restore', sourceId, exported)).toMatchObject({ imported: 1 })
  expect(await run('source', 'delete', sourceId, '--yes')).toMatchObject({
    purged: { artifacts: 1 },
  })
  const late = await runReverie(['source', 'restore', sourceId, exported, '--json'], { env })
  expect(late.code).toBe(4)
  expect(JSON.parse(late.stderr)).toMatchObject({
    code: 'source_not_found',
    hint: expect.stringContaining('reverie import files'),
  })
})

test('document add of a private address names the setting', async () => {
  const url = 'http://127.0.0.1:9/page'
  const { stderr, code } = await runReverie(['document', 'add', url, '--json'], { env })

  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'document_failed',
    hint: `To read it, run: reverie config set outbound.allow '["http://127.0.0.1:9"]'`,
  })
})

test('rows of another program become memories by a map of their fields', async () => {
  const folder = await makeFolder()
  const [json, csv] = ['a.json', 'a.csv'].map((name) => join(folder, name)) as [string, string]
  const rows = [
    {
      memory: 'The willow leans.',
      meta: { date: '2024-05-06T00:00:00.000Z' },
      labels: 'tree;river',
    },
    { memory: '' },
  ]
  await writeFile(json, JSON.stringify({ results: rows }))
  await writeFile(csv, 'text,weight\n"The poplar, tall, sways.",0.9\n')
  const map = 'content=memory,createdAt=meta.date,tags=labels'
  const run = (...args: readonly string[]) => runReverie(['import', ...args, '--json'], { env })

  const preview = await run(json, '--map', map, '--dry-run')
  expect(JSON.parse(preview.stdout)).toMatchObject({
    rows: 2,
    bodies: [{ content: 'The willow leans.', tags: ['tree', 'river'] }, {}],
  })
  const first = await run(json, '--map', map)
  expect(first.code).toBe(3)
  expect(JSON.parse(first.stdout)).toMatchObject({ imported: 1, duplicates: 0, rejected: 1 })
  expect(JSON.parse((await run(json, '--map', map)).stdout)).toMatchObject({ duplicates: 1 })
  const table = await run(csv, '--map', 'content=text,importance=weight')
  expect(JSON.parse(table.stdout)).toMatchObject({ imported: 1, rejected: 0 })
  const { memories } = JSON.parse((await runReverie(['list', '--json'], { env })).stdout)
  expect(memories).toMatchObject([
    { content: 'The poplar, tall, sways.', importance: 0.9 },
    { content: 'The willow leans.', created_at: '2024-05-06T00:00:00.000Z' },
  ])
  expect((await run(json, '--map', 'memory')).code).toBe(2)
})

test('a document is found as soon as it is added', async () => {
  const file = join(await makeFolder(), 'sedge.md')
  await writeFile(file, '# Sedge\n\nThe sedge grows below the sluice.\n')
  const run = async (...args: readonly string[]) =>
    JSON.parse((await runReverie([...args, '--json'], { env })).stdout)
  expect(await run('document', 'add', file)).toMatchObject({ status: 'done' })
  const { results } = await run('recall', 'where does the sedge grow')
  expect(results[0]).toMatchObject({ type: 'document_chunk', trust: 'external' })
})
