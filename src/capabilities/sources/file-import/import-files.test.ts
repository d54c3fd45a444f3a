import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { ByteBody } from '../../../kernel/http/byte-body.ts'
import { listSources, readHealth } from '../manage.ts'
import { ada, onEachEngine, type SourcesKit, sourcesKit } from '../sources.fixture.ts'
import { listArtifacts } from '../store/artifacts.ts'
import { tables } from '../store/rows.ts'
import { importForm } from './import-form.ts'
import { toFileName } from './receive-files.ts'

type Files = Readonly<Record<string, string | Buffer>>

interface FormOptions {
  readonly duplicateMode?: string
  readonly paths?: readonly string[]
  readonly isLocal?: boolean
  readonly headers?: Readonly<Record<string, string>>
  readonly caller?: typeof ada
}

/** Sends a form as a browser does; `duplicateMode` comes after the files. */
async function send(kit: SourcesKit, files: Files, options: FormOptions = {}) {
  const form = new FormData()
  for (const [name, text] of Object.entries(files))
    form.append('files', new Blob([Uint8Array.from(Buffer.from(text))]), name)
  for (const path of options.paths ?? []) form.append('paths', path)
  if (options.duplicateMode) form.append('duplicateMode', options.duplicateMode)
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const contentType = encoded.headers.get('content-type') ?? ''
  const { caller = ada, isLocal = true } = options
  return importForm(kit, {
    caller,
    bytes: toByteBody(body),
    headers: { 'content-type': contentType, ...options.headers },
    principal: { isLocal, role: 'admin', scope: {}, claims: null, refusal: null, subject: 'ada' },
  })
}

function toByteBody(body: Buffer): ByteBody {
  return {
    length: body.length,
    parts: () => Readable.from([body.subarray(0, 70), body.subarray(70)]),
    read: async () => body,
  }
}

const first = ({ body }: Awaited<ReturnType<typeof send>>) =>
  Object(body.files[0]) as Readonly<Record<string, unknown>>
const idOf = (reply: Awaited<ReturnType<typeof send>>) => String(first(reply)['sourceId'])

onEachEngine('each format becomes an artifact and chunks', async (db) => {
  const kit = await sourcesKit(db)
  const table = ['name,town', ...Array.from({ length: 150 }, (_, at) => `n${at},"t\n${at}"`)]
  const reply = await send(kit, {
    'a.md': '# Moss\r\n\r\nThe moss below is wet.   ',
    'b.json': '{"moss":{"wet":true},"n":[1,2]}',
    'c.csv': table.join('\n'),
    'd.html': '<p>The fern <b>is dry</b>.</p><script>no()</script>',
    'e.png': 'no text',
    'f.txt': '   ',
  })

  expect(reply.status).toBe(207)
  expect(reply.body).toMatchObject({
    imported: 4,
    failed: 2,
    files: [
      { fileName: 'a.md', status: 'imported', format: 'markdown', duplicate: false },
      { fileName: 'b.json', status: 'imported', format: 'json' },
      { fileName: 'c.csv', status: 'imported', format: 'csv' },
      { fileName: 'd.html', status: 'imported', format: 'html' },
      { fileName: 'e.png', status: 'failed', error: expect.stringContaining('unsupported_format') },
      { fileName: 'f.txt', status: 'failed', error: expect.stringContaining('empty') },
    ],
  })
  const rows = await Promise.all(
    reply.body.files.flatMap((file) =>
      'sourceId' in file ? [listArtifacts(db, file.sourceId, { after: '', limit: 100 })] : [],
    ),
  )
  const [markdown = [], json = [], csv = [], html = []] = rows
  expect(markdown).toMatchObject([
    {
      sourceKind: 'source_import_markdown',
      content: '# Moss\n\nThe moss below is wet.\n',
      harness: 'dashboard-import',
      sourceRoot: 'a.md',
      sourcePath: `imports/${idOf(reply)}/a.md`,
    },
  ])
  const extraction = {
    documentEntityId: expect.any(String),
    aspectsCreated: 1,
    attributesCreated: 1,
  }
  expect(first(reply)).toMatchObject({ extraction })
  expect((await readHealth(kit, ada, idOf(reply))).health.importExtraction).toEqual(extraction)
  expect(kit.attentionItems[0]).toMatchObject({
    subjectRef: `source:${idOf(reply)}`,
    details: { reason: 'import-completed' },
    priority: 40,
  })
  expect(markdown[0]?.sourceExternalId).toBe(markdown[0]?.sourceSha256)
  expect(json.map(({ sourceKind, content }) => [sourceKind, content])).toEqual([
    ['source_import_json_projection', expect.stringContaining('  "moss": {\n')],
    ['source_import_json_canonical', '{"moss":{"wet":true},"n":[1,2]}\n'],
  ])
  expect(csv.map(({ sourcePath }) => sourcePath.split('/c.csv')[1]).toSorted()).toEqual([
    '',
    '#rows-1-100',
    '#rows-101-150',
  ])
  expect(csv.find(({ sourcePath }) => sourcePath.endsWith('150'))).toMatchObject({
    sourceKind: 'source_import_csv_chunk',
    content: expect.stringMatching(/^name,town\nn100,"t\n100"/),
    sourceMetaJson: expect.stringContaining('table-row-range'),
  })
  expect(html[0]?.content).not.toContain('no()')
  expect((await kit.listChunks(idOf(reply))).length).toBeGreaterThan(0)
  const { sources } = await listSources(kit, ada)
  expect(sources).toHaveLength(4)
  const listed = sources.find(({ id }) => id === idOf(reply))
  expect(listed?.health.importExtraction).toEqual(extraction)
})

onEachEngine('the same content is skipped, replaced or imported once more', async (db) => {
  const kit = await sourcesKit(db)
  const file = { 'a.txt': 'The moss is wet.' }
  const id = idOf(await send(kit, file))
  expect(id).toMatch(/^import:[0-9a-f]{16}$/)

  const skipped = await send(kit, { 'other.txt': 'The moss is wet.\r\n' })
  expect(skipped).toMatchObject({ status: 201, body: { imported: 0, failed: 0 } })
  expect(first(skipped)).toMatchObject({ status: 'duplicate', sourceId: id, duplicate: true })

  const again = idOf(await send(kit, file, { duplicateMode: 'reimport' }))
  expect(again).toMatch(new RegExp(`^${id}:\\w+$`))
  const replaced = idOf(await send(kit, file, { duplicateMode: 'replace' }))
  const { sources } = await listSources(kit, ada)
  expect(sources.map((source) => source.id)).toEqual([replaced])
  const removals = await tables(db).selectFrom('importedSourceLifecycle').selectAll().execute()
  expect(removals.map(({ sourceId, reason }) => [sourceId, reason]).toSorted()).toEqual(
    [
      [again, 'replaced'],
      [id, 'replaced'],
    ].toSorted(),
  )
  expect(await kit.listChunks(id)).toEqual([])
})

onEachEngine('another agent has a source of its own, which a replacement leaves', async (db) => {
  const kit = await sourcesKit(db)
  const file = { 'a.txt': 'The moss is wet.' }
  const id = idOf(await send(kit, file))
  const bob = { ...ada, agentId: 'bob' }
  const other = idOf(await send(kit, file, { caller: bob }))

  expect(other).toMatch(new RegExp(`^${id}:[0-9a-f]{8}$`))
  await send(kit, file, { duplicateMode: 'replace' })
  expect((await listSources(kit, bob)).sources.map((source) => source.id)).toEqual([other])
})

onEachEngine('an import that a kill has interrupted is repeated', async (db) => {
  const kit = await sourcesKit(db)
  const file = { 'a.txt': 'The moss is wet.' }
  const id = idOf(await send(kit, file))
  const source = await kit.registry.find(id)
  if (source) await kit.registry.update(source, { lastIndexedAt: undefined as never })

  const reply = await send(kit, file)
  expect(first(reply)).toMatchObject({ status: 'imported', sourceId: id, duplicate: true })
  expect((await kit.registry.find(id))?.lastIndexedAt).toBeDefined()
})

onEachEngine('a fault while a file is stored leaves neither rows nor an entry', async (db) => {
  const kit = await sourcesKit(db)
  const extractor = { ...kit.extractor, chunk: () => Promise.reject(new Error('no memory')) }
  const reply = await send({ ...kit, extractor }, { 'a.txt': 'The moss is wet.' })

  expect(reply).toMatchObject({ status: 207, body: { failed: 1 } })
  expect((await listSources(kit, ada)).sources).toEqual([])
  expect(await readdir(join(kit.folder, '.daemon', 'uploads'))).toEqual([])
})

onEachEngine('only a local program names paths', async (db) => {
  const kit = await sourcesKit(db)
  await mkdir(join(kit.folder, 'in'))
  const path = join(kit.folder, 'in', 'a.txt')
  await writeFile(path, 'The moss is wet.')
  const paths = [path, 'a.txt', join(kit.folder, 'in'), join(kit.folder, 'none.txt')]

  expect((await send(kit, {}, { paths })).body.files).toMatchObject([
    { fileName: 'a.txt', status: 'imported' },
    { fileName: 'a.txt', status: 'failed', error: 'The path is not absolute.' },
    { fileName: 'in', status: 'failed', error: 'The path is not a file.' },
    { fileName: 'none.txt', status: 'failed', error: 'The file does not exist.' },
  ])
  const refused = { code: 'not_local_paths', kind: 'invalid' }
  await expect(send(kit, {}, { paths, isLocal: false })).rejects.toMatchObject(refused)
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  await expect(send(kit, {}, { paths, headers })).rejects.toMatchObject(refused)
})

onEachEngine('bodies that are no form, or have too many files, are refused', async (db) => {
  const kit = await sourcesKit(db)
  await expect(send(kit, {})).rejects.toMatchObject({ kind: 'invalid' })
  const headers = { 'content-type': 'application/json' }
  await expect(send(kit, { 'a.txt': 'x' }, { headers })).rejects.toMatchObject({
    code: 'invalid_multipart',
  })
  const many = Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`${at}.txt`, `x${at}`]))
  await expect(send(kit, many)).rejects.toMatchObject({ kind: 'too_large' })
  const large = { 'a.txt': 'x'.repeat(26_214_401), 'b.txt': 'fits' }
  expect((await send(kit, large)).body.files).toMatchObject([
    { status: 'failed', error: 'The file has more than 25 MiB.' },
    { status: 'imported' },
  ])
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\notes\\a.txt', 'a.txt'],
  ['a\u0000\u001bb.txt', 'ab.txt'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
])('the name %j becomes %j', (sent, name) => {
  expect(toFileName(sent)).toBe(name)
})
