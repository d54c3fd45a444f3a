import { expect, vi } from 'vitest'
import { type Db, engineOf } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { realHost } from '../../kernel/host/host.ts'
import { deleteDocument } from './delete-document.ts'
import { ada, documentsKit, onEachEngine, replyWith } from './documents.fixture.ts'
import { createDocuments } from './index.ts'
import { listChunks } from './read-documents.ts'
import { linksLock } from './store/links.ts'

const sentence = 'The committee approved the proposal after a long discussion. '
const longText = Array.from({ length: 120 }, (_, at) => `Item ${at}: ${sentence}`).join('\n\n')
const text = (content: string, title?: string) => ({
  sourceType: 'text' as const,
  content,
  title,
})

onEachEngine('a text becomes chunks that are memories', async (db) => {
  const { add, ingest, read, needs } = documentsKit(db)
  const { id, status } = await add(text(longText, 'Minutes'))
  expect(status).toBe('queued')
  await ingest(id)

  const document = await read(id)
  expect(document).toMatchObject({ status: 'done', title: 'Minutes', error: null })
  const { chunks, count } = await listChunks(needs, ada, id)
  expect(count).toBe(document.chunk_count)
  expect(count).toBeGreaterThan(3)
  expect(chunks.map(({ chunk_index }) => chunk_index)).toEqual(chunks.map((_, at) => at))
  for (const chunk of chunks) {
    expect(chunk.type).toBe('document_chunk')
    expect(chunk.content.length).toBeLessThanOrEqual(2_000)
  }
})

onEachEngine('documents of other daemons are looked for at the set interval', async (db) => {
  const { needs } = documentsKit(db)
  const wake = vi.fn()
  const config = () => ({ ...needs.config(), workerIntervalMs: 2_000 })
  const [schedule] = createDocuments({ ...needs, config, jobs: { ...needs.jobs, wake } }).schedules
  await schedule?.run()

  expect(schedule?.everyMs).toBe(2_000)
  expect(wake).toHaveBeenCalledOnce()
})

onEachEngine('a document names an existing connector or none', async (db) => {
  const { add, read } = documentsKit(db)
  const { id } = await add({ ...text('A text.'), connectorId: 'known' })

  expect(await read(id)).toMatchObject({ connector_id: 'known' })
  await expect(add({ ...text('A text.'), connectorId: 'other' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'connector_id names no connector. List them with reverie connectors.',
  })
})

onEachEngine('a repeated ingest saves nothing twice', async (db) => {
  const { add, ingest, needs } = documentsKit(db)
  const { id } = await add(text(longText))
  await ingest(id)
  const before = await listChunks(needs, ada, id)
  await ingest(id)

  expect(await listChunks(needs, ada, id)).toEqual(before)
})

onEachEngine('two equal requests for a URL race to one document', async (db) => {
  const { add, queued } = documentsKit(db)
  const request = { sourceType: 'url' as const, url: 'https://example.org/a' }
  const [one, other] = await Promise.all([add(request), add(request)])

  expect(one.id).toBe(other.id)
  expect([one.deduplicated, other.deduplicated].toSorted()).toEqual([false, true])
  expect(queued).toHaveLength(1)
})

onEachEngine('a shared chunk is forgotten with its last document', async (db) => {
  const { add, ingest, needs } = documentsKit(db)
  const [one, other] = [
    await add(text('A shared sentence of two documents.')),
    await add(text('A shared sentence of two documents.')),
  ]
  await ingest(one.id)
  await ingest(other.id)

  expect(await deleteDocument(needs, ada, { id: one.id, reason: 'old' })).toBe(0)
  expect(await listChunks(needs, ada, other.id)).toMatchObject({ count: 1 })
  expect(await deleteDocument(needs, ada, { id: other.id, reason: 'old' })).toBe(1)
  await expect(deleteDocument(needs, ada, { id: other.id, reason: 'old' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

onEachEngine('documents of a server share and forget chunks one after another', async (db) => {
  const { add, ingest, needs, memory } = documentsKit(db)
  const isLocked: boolean[] = []
  const { save, forget } = memory.documentChunks
  const documentChunks: typeof memory.documentChunks = {
    ...memory.documentChunks,
    save: async (own, chunks) => {
      isLocked.push(await holdsLock(own))
      return save(own, chunks)
    },
    forget: async (own, chunks) => {
      isLocked.push(await holdsLock(own))
      return forget(own, chunks)
    },
  }
  Object.assign(needs, { memory: { ...memory, documentChunks } })
  const { id } = await add(text('A sentence that another daemon may share.'))
  await ingest(id)
  await deleteDocument(needs, ada, { id, reason: 'old' })

  // Saved once, forgotten at the end of the ingest (twice nothing) and by the deletion.
  expect(isLocked).toEqual([true, true, true, true])
})

type Locks = {
  readonly pgLocks: { readonly locktype: string; readonly objid: number }
}

/** One writer at a time: the lock of a server, or SQLite. */
async function holdsLock(db: Db): Promise<boolean> {
  if (engineOf(db) === 'sqlite') return true
  const locks = await db
    .withTables<Locks>()
    .selectFrom('pgLocks')
    .select('objid')
    .where('locktype', '=', 'advisory')
    .where('objid', '=', linksLock)
    .execute()
  return locks.length > 0
}

onEachEngine(
  'a memory that the agent saved itself outlives the document with its text',
  async (db) => {
    const { add, ingest, needs, memory } = documentsKit(db)
    const content = 'The ledger is append-only since spring.'
    const { memory: saved } = await memory.remember(ada, { content })
    const { id } = await add(text(content))
    await ingest(id)

    expect(await listChunks(needs, ada, id)).toMatchObject({ chunks: [{ id: saved.id }] })
    expect(await deleteDocument(needs, ada, { id, reason: 'old' })).toBe(0)
    expect(await memory.documentChunks.list(db, [saved.id])).toHaveLength(1)
  },
)

onEachEngine('a document that is deleted while it is read leaves no chunk', async (db) => {
  const kit = documentsKit(db)
  const { id } = await kit.add(text(longText))
  const { needs } = kit
  const { extractor } = needs.extraction
  const slow = documentsKit(db, {
    extraction: {
      extractor: {
        ...extractor,
        chunk: async (...args) => {
          await deleteDocument(needs, ada, { id, reason: 'changed my mind' })
          return extractor.chunk(...args)
        },
      },
    },
  })
  await slow.ingest(id)

  expect(await kit.read(id)).toMatchObject({ status: 'deleted', error: 'changed my mind' })
  expect(await listChunks(needs, ada, id)).toEqual({ chunks: [], count: 0 })
})

onEachEngine('the text of a deleted document is removed after 30 days', async (db) => {
  const day = { now: 0 }
  const now = () => new Date(Date.parse('2026-03-01T00:00:00.000Z') + day.now * 86_400_000)
  const { needs, add, ingest } = documentsKit(db, { host: { ...realHost, now } })
  const { schedules, connectorFiles } = createDocuments(needs)
  const sweep = () => schedules.find(({ name }) => name === 'documents.sweep')?.run()
  const owner = { id: 'folder', agentId: 'ada', project: null }
  const file = {
    path: '/notes/a.md',
    fileName: 'a.md',
    bytes: Buffer.from('The heron nests late.'),
  }
  const { id } = await add(text('The heron nests early.', 'Heron'))
  await ingest(id)
  await connectorFiles.save(db, file, { owner, force: false })
  const page = { folder: '/notes/', after: '', limit: 9 }
  const [stored] = await connectorFiles.listUnder(owner, page)
  if (!stored) throw new Error('no document')
  await deleteDocument(needs, ada, { id, reason: 'heron' })
  await connectorFiles.remove(db, stored, 'heron')
  const rows = () =>
    db.withTables<Rows>().selectFrom('documents').select(['title', 'rawContent']).execute()

  day.now = 29
  await sweep()
  expect(await rows()).toHaveLength(2)
  day.now = 31
  await sweep()

  expect(await rows()).toEqual([{ title: null, rawContent: null }])
  const states = await connectorFiles.find(owner, [file.path])
  expect(states.get(file.path)).toMatchObject({ status: 'deleted' })
})

type Rows = {
  readonly documents: { readonly title: string | null; readonly rawContent: string | null }
}

onEachEngine('a page is read with its title and without its scripts', async (db) => {
  const page = `<html><title>Handbook</title><body><script>x()</script><p>${sentence}</p></body></html>`
  const { add, ingest, read } = documentsKit(db, { outbound: replyWith(200, page) })
  const { id } = await add({ sourceType: 'url', url: 'https://example.org/handbook' })
  await ingest(id)

  expect(await read(id)).toMatchObject({
    status: 'done',
    title: 'Handbook',
    content: sentence.trim(),
  })
})

onEachEngine('a missing page fails at once, a busy server after three attempts', async (db) => {
  const missing = documentsKit(db, { outbound: replyWith(404, '') })
  const busy = documentsKit(db, { outbound: replyWith(503, '') })
  const url = (path: string) => ({ sourceType: 'url' as const, url: `https://example.org/${path}` })
  const [one, other] = [await missing.add(url('one')), await busy.add(url('other'))]

  await expect(missing.ingest(one.id)).rejects.toThrow(Refusal)
  expect(await missing.read(one.id)).toMatchObject({ status: 'failed' })
  await expect(busy.ingest(other.id, 1)).rejects.toThrow('503')
  expect(await busy.read(other.id)).toMatchObject({ status: 'queued' })
  await expect(busy.ingest(other.id, 3)).rejects.toThrow('503')
  expect(await busy.read(other.id)).toMatchObject({ status: 'failed' })
})

onEachEngine('credentials are redacted in the stored text and in the chunks', async (db) => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const { add, ingest, read, needs } = documentsKit(db)
  const { id } = await add({
    sourceType: 'file',
    title: 'a.txt',
    encoding: 'base64',
    content: Buffer.from(`The token is ${token} for the release.`).toString('base64'),
  })
  await ingest(id)

  expect(JSON.stringify(await read(id))).not.toContain(token)
  expect(JSON.stringify(await listChunks(needs, ada, id))).not.toContain(token)
})
