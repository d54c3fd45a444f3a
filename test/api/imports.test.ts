import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { lineOf, saying } from '../support/import-line.ts'
import { type Service, startService } from '../support/start-service.ts'

const env = { SVC_AGENT_ID: 'ada' }
const service = await startService({ env })
const empty = await startService({ env })
afterAll(() => Promise.all([service.stop(), empty.stop()]))

const base = '/api/sources/imports'
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function send(to: Service, call: string, body = '', headers: object = {}) {
  const [method = '', path = ''] = call.split(' ')
  const reply = await fetch(to.url + path, {
    method,
    headers: { authorization: `Bearer ${to.tokenFor('operator')}`, ...headers },
    ...(body !== '' && { body }),
  })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

async function create(to = service, body: object = {}) {
  const reply = await to.ask(`POST ${base}`, { body: { files: [{ name: 'a.jsonl' }], ...body } })
  const [file] = (reply.body['files'] ?? []) as { id: string }[]
  return {
    ...reply,
    job: `${base}/${reply.body['id']}`,
    file: `${base}/${reply.body['id']}/files/${file?.id}`,
  }
}

async function upload(text: string, to = service) {
  const created = await create(to)
  const { status } = await send(to, `PUT ${created.file}`, text)
  expect(status).toBe(201)
  return created
}

/** Polls the import to its end. Each answer has to add up. */
async function run(job: string, to = service) {
  await to.ask(`POST ${job}/start`)
  const ends = ['completed', 'completed_with_rejections', 'failed']
  for (;;) {
    const { body } = await to.ask(`GET ${job}`)
    const { total, imported, duplicate, rejected, pending } = Object(body['job'])
    expect(total).toBe(imported + duplicate + rejected + pending)
    if (ends.includes(String(body['state']))) return Object(body['job'])
  }
}

test('conversations are uploaded, imported, found, listed and exported again byte for byte', async () => {
  const text = `${lineOf('one', saying('The greenhouse key hangs behind the cedar door.'))}\n\n{\n${lineOf('two')}\n`
  const { job, file, body, status } = await upload(text)

  expect(status).toBe(201)
  expect(body).toMatchObject({ state: 'staging', duplicateMode: 'skip', agentId: 'ada' })
  expect(await run(job)).toMatchObject({
    state: 'completed_with_rejections',
    total: 3,
    imported: 2,
    rejected: 1,
  })
  const content = await send(service, `GET ${file}/content`)
  expect([content.text, content.headers.get('content-length')]).toEqual([text, String(text.length)])
  expect((await service.ask(`GET ${job}/rejections`)).body).toMatchObject({
    rejections: [{ line_number: 3, rejection_code: 'malformed', status: 'rejected' }],
    nextCursor: null,
  })
  expect((await service.ask(`GET ${job}/reconciliation`)).body['reconciliation']).toEqual([
    { status: 'imported', count: 2 },
    { status: 'duplicate', count: 0 },
    { status: 'rejected', count: 1 },
    { status: 'pending', count: 0 },
  ])
  expect((await service.ask(`GET ${base}`)).body['imports']).toMatchObject([
    { jobId: body['id'], state: 'completed_with_rejections' },
  ])
  const search = await service.ask('POST /api/sessions/search', {
    body: { query: 'greenhouse cedar' },
  })
  expect(JSON.stringify(search.body)).toContain('one')

  const first = await send(service, `GET ${base}/export/transcripts`)
  expect(first.headers.get('content-type')).toContain('application/x-ndjson')
  const other = await upload(first.text, empty)
  expect(await run(other.job, empty)).toMatchObject({ state: 'completed', imported: 2 })
  expect((await send(empty, `GET ${base}/export/transcripts`)).text).toBe(first.text)
  const again = await upload(first.text)
  expect(await run(again.job)).toMatchObject({ state: 'completed', duplicate: 2 })
})

test('chunks are refused with the status of their fault', async () => {
  const { file } = await create()
  const text = 'x'.repeat(65_536)
  const headers = {
    'upload-length': '100000',
    'upload-offset': '0',
    'upload-checksum': sha256(text),
    'content-type': 'application/octet-stream',
  }
  const patch = (body: string, more: object = {}) =>
    send(service, `PATCH ${file}`, body, { ...headers, ...more })

  const stored = await patch(text)
  expect([stored.status, JSON.parse(stored.text)]).toEqual([200, { offset: 65_536, generation: 0 }])
  expect(stored.headers.get('upload-offset')).toBe('65536')
  expect((await patch(text)).status).toBe(200)
  expect((await patch(text, { 'upload-checksum': sha256('y') })).status).toBe(400)
  expect((await patch(text, { 'upload-checksum': 'abc' })).status).toBe(400)
  expect((await patch(text, { 'upload-generation': '2' })).status).toBe(409)
  expect((await patch(text, { 'upload-offset': '65536' })).status).toBe(413)
  expect(
    (await patch('y'.repeat(65_536), { 'upload-checksum': sha256('y'.repeat(65_536)) })).status,
  ).toBe(409)
  const long = await patch('x'.repeat(1_048_577), { 'upload-length': '5000000' })
  expect(long.status).toBe(409)
  const fresh = await create()
  const above = await send(service, `PATCH ${fresh.file}`, 'x'.repeat(1_048_577), {
    ...headers,
    'upload-length': '5000000',
  })
  expect([above.status, JSON.parse(above.text).code]).toEqual([413, 'transcript_import_too_large'])
  expect((await send(service, `POST ${file}/finalize`)).status).toBe(409)
  expect((await send(service, `GET ${file}/content`)).status).toBe(409)
  const reset = await send(service, `POST ${file}/reset`)
  expect(JSON.parse(reset.text)).toEqual({
    upload_generation: 1,
    upload_offset: 0,
    upload_size: null,
    upload_digest: '',
    storage_state: 'uploading',
    content_hash: null,
  })
  expect((await send(service, `PATCH ${base}/none/files/none`, text, headers)).status).toBe(404)
})

test('a client that stops in the middle of a chunk stores nothing, and continues', async () => {
  const { file } = await create()
  const text = 'x'.repeat(131_072)
  const headers = {
    'upload-length': '131072',
    'upload-offset': '0',
    'upload-checksum': sha256(text),
    'content-type': 'application/octet-stream',
  }
  const { host, hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const authorization = `Bearer ${service.tokenFor('operator')}`
  const length = { 'content-length': text.length }
  const lines = Object.entries({ host, authorization, ...length, ...headers })
  const head = [`PATCH ${file} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  await once(socket, 'connect')
  await new Promise((sent) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(70_000)}`, sent),
  )
  socket.destroy()

  const whole = await send(service, `PATCH ${file}`, text, headers)
  expect([whole.status, JSON.parse(whole.text)]).toEqual([200, { offset: 131_072, generation: 0 }])
  expect((await send(service, `POST ${file}/finalize`)).status).toBe(201)
})

test('an import is created only from a valid description, for the agent of the service', async () => {
  expect((await create(service, { files: [] })).status).toBe(400)
  expect((await create(service, { schemaId: 'other' })).status).toBe(400)
  expect((await create(service, { duplicateMode: 'merge' })).status).toBe(400)
  const many = Array.from({ length: 26 }, () => ({ name: 'a' }))
  expect((await create(service, { files: many })).status).toBe(400)
  const large = Array.from({ length: 25 }, () => ({ name: 'a', note: 'x'.repeat(3000) }))
  expect(await create(service, { files: large })).toMatchObject({
    status: 413,
    body: { code: 'transcript_import_too_large' },
  })
  expect(await create(service, { agentId: 'bob' })).toMatchObject({
    status: 403,
    body: { code: 'agent_scope_denied' },
  })
  expect((await service.ask(`GET ${base}`, { role: 'readonly' })).status).toBe(403)
  expect((await service.ask(`GET ${base}`, { scope: { project: 'garden' } })).status).toBe(403)
})

test('controls need their state, and a cancelled import never changes', async () => {
  const { job } = await create()
  expect((await service.ask(`POST ${job}/start`)).status).toBe(409)
  expect((await service.ask(`POST ${job}/resume`)).status).toBe(409)
  expect(await service.ask(`POST ${job}/cancel`)).toMatchObject({
    status: 200,
    body: { control: 'cancel', changed: true, state: 'cancelled' },
  })
  expect((await service.ask(`POST ${job}/start`)).body).toMatchObject({
    changed: false,
    state: 'cancelled',
  })
  expect((await service.ask(`POST ${base}/none/start`)).status).toBe(404)
})

test('the export is filtered, cut and refused like its import', async () => {
  const exported = (query: string) => send(service, `GET ${base}/export/transcripts?${query}`)

  expect((await exported('harness=nothing')).text).toBe('')
  expect((await exported('until=2025-03-03')).text).toBe('')
  expect(
    (await exported('since=2025-03-04&until=2025-03-04&limit=1')).text.split('\n'),
  ).toHaveLength(2)
  expect(JSON.parse((await exported('json=true&limit=1')).text)).toHaveLength(1)
  for (const query of ['limit=-1', 'limit=x', 'since=someday', 'offset=1.5'])
    expect((await exported(query)).status, query).toBe(400)
  expect((await exported('agentId=bob')).status).toBe(403)
})
