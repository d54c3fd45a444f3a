import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
const folder = await mkdtemp(join(tmpdir(), 'reverie-connector-'))
afterAll(async () => {
  await service.stop()
  await removeFolder(folder)
})

let count = 0
/** A connector of a new folder with these files. */
async function addConnector(files: Readonly<Record<string, string>>, settings: object = {}) {
  const rootPath = join(folder, `root-${count++}`)
  await mkdir(rootPath)
  for (const [name, text] of Object.entries(files)) await writeFile(join(rootPath, name), text)
  const body = { provider: 'filesystem', settings: { rootPath, ...settings } }
  const reply = await service.ask('POST /api/connectors', { body })
  expect(reply).toMatchObject({ status: 201, body: { id: expect.any(String) } })
  return { id: String(reply.body['id']), rootPath }
}

const health = async (id: string) => (await service.ask(`GET /api/connectors/${id}/health`)).body
const isSynced = async (id: string) => (await health(id))['status']

async function sync(id: string, path = 'sync') {
  const reply = await service.ask(`POST /api/connectors/${id}/${path}`)
  expect(reply).toMatchObject({ status: 200, body: { status: 'syncing' } })
  await expect.poll(() => isSynced(id), { timeout: 20_000 }).not.toBe('syncing')
  return health(id)
}

async function listDocuments(id: string) {
  const { documents } = (await service.ask('GET /api/documents?limit=500')).body
  const rows = documents as Readonly<Record<string, unknown>>[]
  return rows.filter((row) => row['connector_id'] === id)
}

const untilDone = (id: string) =>
  expect
    .poll(async () => (await listDocuments(id)).map((row) => row['status']), { timeout: 20_000 })
    .not.toContainEqual(expect.stringMatching(/queued|extracting|chunking|embedding|indexing/))

async function recall(query: string): Promise<string> {
  const { body } = await service.ask('POST /api/memory/recall', { body: { query } })
  return JSON.stringify(body['results'])
}

test('a document may name a connector of its agent', async () => {
  const { id } = await addConnector({ 'fen.md': 'The bladderwort floats on the fen.' })
  const add = (connector: string, as: { readonly agent?: string } = {}) => {
    const body = { source_type: 'text', content: 'A text of no file.', connector_id: connector }
    return service.ask('POST /api/documents', { body, ...as })
  }
  expect(await add(id)).toMatchObject({ status: 201 })
  for (const reply of [await add('other'), await add(id, { agent: 'mallory' })])
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
})

test('the files of a folder are found by recall, changed, and deleted with the connector', async () => {
  const { id, rootPath } = await addConnector({
    'bog.md': 'The sundew traps gnats at the northern bog.',
    'photo.png': 'no text',
  })
  expect((await service.ask(`GET /api/connectors/${id}`)).body).toMatchObject({
    id,
    provider: 'filesystem',
    display_name: 'filesystem',
    status: 'idle',
    cursor_json: null,
    last_sync_at: null,
  })

  expect(await sync(id)).toMatchObject({ id, status: 'idle', documentCount: 1, lastError: null })
  await untilDone(id)
  expect(await recall('sundew gnats')).toContain('northern bog')
  expect(await listDocuments(id)).toMatchObject([
    { source_type: 'file', title: 'bog.md', source_url: join(rootPath, 'bog.md'), status: 'done' },
  ])

  await writeFile(join(rootPath, 'bog.md'), 'The sundew traps midges at the southern bog.')
  await sync(id)
  await untilDone(id)
  expect(await recall('sundew')).toContain('southern bog')
  expect(await recall('sundew')).not.toContain('northern bog')
  const { cursor_json: cursor } = (await service.ask(`GET /api/connectors/${id}`)).body
  expect(JSON.parse(String(cursor))).toEqual({ lastSyncAt: expect.any(String) })

  const removed = await service.ask(`DELETE /api/connectors/${id}?cascade=true`)
  expect(removed).toMatchObject({ status: 200, body: { deleted: true } })
  expect(await recall('sundew')).not.toContain('bog')
  const { documents } = (await service.ask('GET /api/documents?status=deleted')).body
  expect(documents).toMatchObject([{ connector_id: id, error: 'Connector removed' }])
  expect((await service.ask(`GET /api/connectors/${id}`)).status).toBe(404)
})

test('a full sync requires confirm, and deletes the documents of files that are gone', async () => {
  const { id, rootPath } = await addConnector({ 'a.txt': 'The ash leans.', 'b.txt': 'The oak.' })
  await sync(id)
  await rm(join(rootPath, 'a.txt'))

  expect((await service.ask(`POST /api/connectors/${id}/sync/full`)).status).toBe(400)
  expect(await sync(id, 'sync/full?confirm=true')).toMatchObject({ documentCount: 1 })
  expect((await service.ask(`DELETE /api/connectors/${id}`)).body).toEqual({ deleted: true })
  expect(await listDocuments(id)).toHaveLength(1)
})

test('a connector is listed with the others, and all are synced at once', async () => {
  const { id } = await addConnector({ 'a.md': 'The elm grows.' }, { glob: '*.md' })
  const other = { provider: 'drive-docs', displayName: 'Papers', settings: { folder: 'f' } }
  const { body } = await service.ask('POST /api/connectors', { body: other })

  const listed = (await service.ask('GET /api/connectors')).body
  expect(listed).toMatchObject({
    count: expect.any(Number),
    connectors: expect.arrayContaining([expect.objectContaining({ id })]),
  })
  expect(Object(listed['connectors'])[0]).toMatchObject({ id: body['id'], display_name: 'Papers' })
  expect((await service.ask('POST /api/connectors/resync')).body).toMatchObject({
    status: 'syncing',
    queued: expect.arrayContaining([id]),
  })
  await expect.poll(() => isSynced(id), { timeout: 20_000 }).not.toBe('syncing')

  const refused = await service.ask(`POST /api/connectors/${body['id']}/sync`)
  expect(refused).toMatchObject({
    status: 501,
    body: { error: 'Provider drive-docs not yet supported' },
  })
})

test.each([
  [{}, 'provider'],
  [{ provider: 'scroll' }, 'provider'],
  [{ provider: 'filesystem' }, 'rootPath is required'],
  [{ provider: 'filesystem', settings: { rootPath: 'notes' } }, 'absolute'],
  [{ provider: 'filesystem', settings: { rootPath: '/no/such/folder' } }, 'does not exist'],
  [{ provider: 'filesystem', settings: { rootPath: '/', maxFileSize: 0 } }, 'maxFileSize'],
  [{ provider: 'filesystem', settings: { rootPath: '/', glob: 7 } }, 'glob'],
])('a bad connector %j is refused', async (body, words) => {
  const reply = await service.ask('POST /api/connectors', { body })

  expect(reply.status).toBe(400)
  expect(JSON.stringify(reply.body)).toContain(words)
})

test('a connector needs the permission, and does not exist for another agent', async () => {
  const { id } = await addConnector({})
  const body = { provider: 'drive-docs' }
  expect((await service.ask('POST /api/connectors', { role: 'agent', body })).status).toBe(403)
  expect((await service.ask(`POST /api/connectors/${id}/sync`, { role: 'agent' })).status).toBe(403)
  expect((await service.ask('GET /api/connectors', { role: 'readonly' })).status).toBe(200)
  expect((await service.ask('GET /api/connectors', { role: 'anonymous' })).status).toBe(401)

  const asBob = { agent: 'bob' }
  expect((await service.ask('GET /api/connectors', asBob)).body).toEqual({
    connectors: [],
    count: 0,
  })
  for (const call of [
    `GET /api/connectors/${id}`,
    `GET /api/connectors/${id}/health`,
    `POST /api/connectors/${id}/sync`,
    `DELETE /api/connectors/${id}?cascade=true`,
  ])
    expect(await service.ask(call, asBob)).toMatchObject({
      status: 404,
      body: { error: 'Connector not found' },
    })
})

test('a restart during a sync leaves no connector syncing', async () => {
  const files = Array.from({ length: 60 }, (_, at) => [`${at}.md`, `The birch number ${at}.`])
  const { id } = await addConnector(Object.fromEntries(files))
  await service.ask(`POST /api/connectors/${id}/sync`)
  await service.kill()
  await service.restart()

  await expect.poll(() => isSynced(id), { timeout: 30_000 }).toBe('idle')
  expect(await sync(id)).toMatchObject({ documentCount: files.length })
})

test('credentials in names and settings are stored nowhere', async () => {
  const key = `ghp_${'aB3dE5fG7h'.repeat(4)}`.slice(0, 40)
  const displayName = `Papers ${key}`
  const body = { provider: 'drive-docs', displayName, settings: { note: key } }
  const { id } = (await service.ask('POST /api/connectors', { body })).body

  const { body: stored } = await service.ask(`GET /api/connectors/${id}`)
  expect(JSON.stringify(stored)).not.toContain(key)
})
