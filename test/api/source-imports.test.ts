import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

const folder = await mkdtemp(join(tmpdir(), 'reverie-import-'))
const picker = join(folder, 'picker')
await writeFile(picker, '#!/bin/sh\nprintf "/notes/a.md\\n/notes/b.md\\n"\n')
await chmod(picker, 0o755)
const service = await startService({ env: { SVC_FILE_PICKER: picker, DISPLAY: '' } })
afterAll(async () => {
  await service.stop()
  await removeFolder(folder)
})

type Body = Readonly<Record<string, unknown>>

/** Sends a form of files, as a browser does. */
async function upload(files: Readonly<Record<string, string>>, more: Body = {}) {
  const form = new FormData()
  for (const [name, text] of Object.entries(files)) form.append('files', new Blob([text]), name)
  for (const [name, value] of Object.entries(more)) form.append(name, String(value))
  const headers = {
    authorization: `Bearer ${service.tokenFor('operator')}`,
    'x-svc-agent-id': 'ada',
  }
  const reply = await fetch(`${service.url}/api/sources/import`, {
    method: 'POST',
    body: form,
    headers,
  })
  return { status: reply.status, body: (await reply.json()) as Body }
}

const filesOf = ({ body }: { readonly body: Body }) => body['files'] as readonly Body[]
const idOf = (reply: { readonly body: Body }) => String(filesOf(reply)[0]?.['sourceId'])

const recall = async (query: string) =>
  JSON.stringify((await service.ask('POST /api/memory/recall', { body: { query } })).body)

test('files are imported, found by recall with their origin, and deleted without a trace', async () => {
  const reply = await upload({
    'weir.md': '# Weir\n\nThe kingfisher nests below the umbrageous weir.',
    'photo.png': 'no text',
  })
  expect(reply).toMatchObject({ status: 207, body: { imported: 1, failed: 1 } })
  const id = idOf(reply)
  await expect.poll(() => recall('kingfisher weir'), { timeout: 15_000 }).toContain('umbrageous')
  expect(await recall('kingfisher weir')).toContain('"trust":"external"')
  expect((await service.ask('GET /api/sources')).body['sources']).toMatchObject([
    { id, kind: 'import', name: 'weir.md', stats: { artifacts: 1 } },
  ])

  const again = await upload({
    'weir.md': '# Weir\n\nThe kingfisher nests below the umbrageous weir.',
  })
  expect(again).toMatchObject({ status: 201, body: { imported: 0, failed: 0 } })
  expect(filesOf(again)[0]).toMatchObject({ status: 'duplicate', sourceId: id })

  const deleted = await service.ask(`DELETE /api/sources/${encodeURIComponent(id)}`)
  expect(deleted).toMatchObject({ status: 200, body: { purged: { artifacts: 1 } } })
  expect(await recall('kingfisher weir')).not.toContain('umbrageous')
  await service.restart()
  expect(await listPlacesHolding(service, ['umbrageous'])).toEqual([])
  expect(await readdir(join(service.workspace, '.daemon'))).not.toContain('uploads')
})

test('paths of this machine are imported for a local caller', async () => {
  const path = join(folder, 'ford.txt')
  await writeFile(path, 'The otter crosses the ford.')

  expect(await upload({}, { paths: path })).toMatchObject({ status: 201, body: { imported: 1 } })
  expect((await upload({})).status).toBe(400)
  const json = await service.ask('POST /api/sources/import', { body: { paths: [path] } })
  expect(json).toMatchObject({ status: 400, body: { code: 'invalid_multipart' } })
})

test('a snapshot is exported, changed and restored', async () => {
  const id = encodeURIComponent(idOf(await upload({ 'mill.md': 'The dipper sings at the mill.' })))
  const { status, body } = await service.ask(`GET /api/sources/${id}/snapshot`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ version: 1, source: { kind: 'import' }, artifacts: [{}] })

  const restored = await service.ask(`POST /api/sources/${id}/snapshot/import`, { body })
  expect(restored).toMatchObject({ status: 200, body: { ok: true, imported: 1 } })
  const wrong = { ...body, version: 2 }
  expect(
    (await service.ask(`POST /api/sources/${id}/snapshot/import`, { body: wrong })).status,
  ).toBe(400)
  const asBob = { agent: 'bob' }
  expect((await service.ask(`GET /api/sources/${id}/snapshot`, asBob)).status).toBe(404)
})

test('a dialog without a desktop is refused with what to do, and a configured one is used', async () => {
  expect(
    await service.ask('POST /api/sources/pick-directory', { body: { title: 'Notes' } }),
  ).toMatchObject({
    status: 501,
    body: { code: 'picker_unavailable', error: expect.stringContaining('SVC_DIRECTORY_PICKER') },
  })
  expect((await service.ask('POST /api/sources/pick-files')).body).toEqual({
    paths: ['/notes/a.md', '/notes/b.md'],
  })
})

test('a sealed file of conversations is a source, and ends with it', async () => {
  const agent = 'default'
  const line = JSON.stringify({
    id: 'c1',
    source: 'svc',
    harness: 'mine',
    agent_id: 'default',
    session_key: 'k1',
    project: null,
    timestamp: '2026-01-01T00:00:00Z',
    message_count: 1,
    messages: [{ role: 'user', content: 'The grebe dives at dusk.' }],
  })
  const created = await service.ask('POST /api/sources/imports', {
    agent,
    body: { files: [{ name: 'talks.jsonl' }] },
  })
  expect(created.status).toBe(201)
  const { id: jobId, files } = created.body as { id: string; files: readonly { id: string }[] }
  const put = await fetch(`${service.url}/api/sources/imports/${jobId}/files/${files[0]?.id}`, {
    method: 'PUT',
    body: `${line}\n`,
    headers: {
      authorization: `Bearer ${service.tokenFor('operator')}`,
      'content-type': 'application/x-ndjson',
    },
  })
  expect(put.status).toBe(201)
  const { sourceId } = (await put.json()) as { sourceId: string }
  const list = async () => {
    const { sources } = (await service.ask('GET /api/sources', { agent })).body
    return (sources as readonly Body[]).map(({ id, name }) => [id, name])
  }
  expect(await list()).toContainEqual([sourceId, 'talks.jsonl'])

  await service.ask(`POST /api/sources/imports/${jobId}/start`, { agent })
  const state = async () =>
    (await service.ask(`GET /api/sources/imports/${jobId}`, { agent })).body['state']
  await expect.poll(state, { timeout: 20_000 }).toBe('completed')
  const deleted = await service.ask(`DELETE /api/sources/${sourceId}`, { agent })
  expect(deleted.status).toBe(200)
  expect(await list()).not.toContainEqual([sourceId, 'talks.jsonl'])
  await service.restart()
  expect(await listPlacesHolding(service, ['grebe dives'])).toEqual([])
})
