import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { lineOf, saying } from '../support/import-line.ts'
import { makeFolder } from '../support/make-folder.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const env = { SVC_AGENT_ID: 'ada' }
const service = await startService({ env })
const empty = await startService({ env })
afterAll(() => Promise.all([service.stop(), empty.stop()]))
const { run, json } = reverieOf(service)

const chatgpt = (id: string, words: string) => ({
  conversation_id: id,
  create_time: 1_700_000_000,
  current_node: 'b',
  mapping: {
    a: {
      id: 'a',
      parent: null,
      message: { author: { role: 'user' }, content: { parts: [words] } },
    },
    b: {
      id: 'b',
      parent: 'a',
      message: { author: { role: 'assistant' }, content: { parts: ['Noted.'] } },
    },
  },
})

async function written(name: string, value: unknown): Promise<string> {
  const file = join(await makeFolder(), name)
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

test('an export of ChatGPT is imported, found, exported and imported elsewhere, equal byte for byte', async () => {
  const file = await written('conversations.json', [
    chatgpt('c1', 'The greenhouse key hangs behind the cedar door.'),
    chatgpt('c2', 'Water the moss.'),
    { mapping: {} },
  ])

  expect(await json(['import', 'conversations', file, '--dry-run'])).toMatchObject({
    conversations: 2,
    skipped: 1,
    from: 'chatgpt',
  })
  expect(await json(['import', 'conversations', file])).toMatchObject({ imported: 2, rejected: 0 })
  expect(await json(['import', 'conversations', file])).toMatchObject({ imported: 0, duplicate: 2 })
  expect((await run(['import', 'conversations', file])).stdout).toContain('already imported, 2')
  const { sources } = Object(await json(['source', 'list']))
  expect(sources).toMatchObject([
    {
      name: 'conversations.json',
      stats: { artifacts: 2 },
      lastIndexedAt: expect.stringMatching(/^\d{4}-/),
    },
  ])
  const hits = await service.ask('POST /api/sessions/search', { body: { query: 'cedar' } })
  expect(JSON.stringify(hits.body)).toContain('chatgpt:c1')

  const first = join(await makeFolder(), 'first.jsonl')
  expect(await json(['export', 'conversations', first])).toMatchObject({ conversations: 2 })
  const other = reverieOf(empty)
  expect(await other.json(['import', 'conversations', first])).toMatchObject({ imported: 2 })
  const second = join(await makeFolder(), 'second.jsonl')
  await other.json(['export', 'conversations', second])
  expect(await readFile(second, 'utf8')).toBe(await readFile(first, 'utf8'))
})

test('a conversation with new messages is a conflict, and --continued stores it again', async () => {
  const before = await written('a.json', [chatgpt('c9', 'Prune the fern.')])
  const after = await written('b.json', [chatgpt('c9', 'Prune the fern and the ivy.')])
  await json(['import', 'conversations', before])

  const refused = await run(['import', 'conversations', after, '--json'])
  expect(refused.code).toBe(3)
  expect(JSON.parse(refused.stderr)).toMatchObject({ code: 'lines_rejected' })
  expect(await json(['import', 'conversations', after, '--continued'])).toMatchObject({
    imported: 1,
    rejected: 0,
  })
})

test('a file of another kind and a missing upload are explained', async () => {
  const odd = await written('odd.json', [{ some: 'thing' }])
  const file = await written('c.json', [chatgpt('c3', 'x')])

  expect(await run(['import', 'conversations', odd])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from'),
  })
  expect((await run(['import', 'conversations', file, '--resume'])).code).toBe(4)
})

test('an upload that was cancelled meanwhile cannot be resumed', async () => {
  const file = await written('d.jsonl', lineOf('d', saying('Cover the fig.')))
  const { body } = await service.ask('POST /api/sources/imports', {
    body: { files: [{ name: 'd.jsonl' }] },
  })
  const jobId = String(body['id'])
  const checkpoint = `${file}.reverie-import`
  const contentHash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  const upload = { url: service.url, jobId, fileId: Object(body['files'])[0].id, contentHash }
  await writeFile(checkpoint, JSON.stringify(upload))
  await service.ask(`POST /api/sources/imports/${jobId}/cancel`)
  await vi.waitFor(async () => {
    const reply = await service.ask(`GET /api/sources/imports/${jobId}`)
    expect(reply.body).toMatchObject({ cleanup_state: 'complete' })
  })

  expect(await run(['import', 'conversations', file, '--resume'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('was cancelled'),
  })
  expect(await json(['import', 'conversations', file])).toMatchObject({ imported: 1 })
})
