import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { lineOf, saying } from '../support/import-line.ts'
import { makeFolder } from '../support/make-folder.ts'
import { canMount, onSmallDisk, resizeDisk } from '../support/small-disk.ts'
import { type Service, startService } from '../support/start-service.ts'

const conversations = 200
const partBytes = 1_048_576
const env = { SVC_AGENT_ID: 'ada' }

test.skipIf(!canMount())(
  'an upload to a full disk is refused with 507 and goes on when space is free',
  async () => {
    const workspace = await makeFolder()
    const service = await startService({ workspace, engine: 'sqlite', limit: onSmallDisk(8), env })
    onTestFinished(() => service.stop())
    const upload = await startUpload(service)

    const sentBytes = await upload.sendUntilRefused()
    expect(sentBytes).toBeGreaterThan(0)
    expect(await upload.send(sentBytes)).toMatchObject({
      status: 507,
      body: { code: 'transcript_import_storage_full' },
    })
    expect((await service.ask('GET /health/live')).status).toBe(200)
    expect(await upload.readOffset()).toBe(sentBytes)

    resizeDisk(service.pid ?? 0, workspace, 128)
    await upload.sendFrom(sentBytes)
    expect(await upload.complete()).toMatchObject({
      total: conversations,
      imported: conversations,
      rejected: 0,
    })
  },
)

/** An import of one file that is larger than the disk. */
async function startUpload(service: Service) {
  const ask = (operation: string, body?: object) => service.ask(operation, body ? { body } : {})
  const text = Array.from({ length: conversations }, (_, at) => longLine(`disk-${at}`)).join('\n')
  const created = await ask('POST /api/sources/imports', { files: [{ name: 'disk.jsonl' }] })
  expect(created.status).toBe(201)
  const job = `/api/sources/imports/${created.body['id']}`
  const [{ id: fileId }] = created.body['files'] as readonly [{ readonly id: string }]
  const file = `${job}/files/${fileId}`
  const readJob = async () => (await ask(`GET ${job}`)).body
  const send = async (offset: number) => {
    const part = text.slice(offset, offset + partBytes)
    const reply = await fetch(service.url + file, {
      method: 'PATCH',
      body: part,
      headers: {
        authorization: `Bearer ${service.tokenFor('operator')}`,
        'content-type': 'application/octet-stream',
        'upload-length': String(text.length),
        'upload-offset': String(offset),
        'upload-checksum': createHash('sha256').update(part).digest('hex'),
      },
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  return {
    send,
    sendFrom: async (start: number) => {
      for (let offset = start; offset < text.length; offset += partBytes)
        expect((await send(offset)).status).toBe(200)
    },
    sendUntilRefused: async () => {
      let offset = 0
      while (offset < text.length && (await send(offset)).status === 200) offset += partBytes
      return offset
    },
    readOffset: async () => {
      const [state] = (await readJob())['files'] as readonly [{ readonly upload_offset: number }]
      return state.upload_offset
    },
    complete: async () => {
      expect((await ask(`POST ${file}/finalize`, {})).status).toBe(201)
      expect((await ask(`POST ${job}/start`, {})).status).toBeLessThan(300)
      await expect
        .poll(async () => Object((await readJob())['job']).state, { timeout: 60_000 })
        .toBe('completed')
      return (await readJob())['job']
    },
  }
}

const longLine = (key: string) => lineOf(key, saying(`words of ${key} `.repeat(5_000)))
