import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { isFinal } from '../../../kernel/jobs/job.ts'
import type { JobKind, Task } from '../../../kernel/jobs/kind.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import type { DocumentConfig } from '../config.ts'
import { forgetLinks } from '../delete-document.ts'
import { type Document, hashBytes, ingestJob } from '../document.ts'
import { documentChanged } from '../events.ts'
import type { DocumentsNeeds } from '../needs.ts'
import { notIngestible } from '../refusals.ts'
import { changeDocument, findById } from '../store/documents.ts'
import { listLinks, listUnlinked, lockLinks, saveLinks } from '../store/links.ts'
import { readContent } from './read-content.ts'

const concurrency = 2
const maxPending = 10_000
/** Covers the deadline of a fetch and of a conversion. */
const timeoutMs = 900_000
/** Chunks saved in one transaction. */
const batchSize = 25
const maxChunks = 5_000
const minChunkSize = 40
const maxAttempts = 3

/** The document was deleted, or got other content, while it was read. */
class Outdated extends Error {}

export function createIngestJob(needs: DocumentsNeeds): JobKind {
  return {
    kind: ingestJob,
    concurrency,
    maxPending,
    timeoutMs,
    run: (task) => ingest(needs, task),
  }
}

/** Reads a document and saves its chunks. A repeated run finds its own chunks by their contents. */
async function ingest(needs: DocumentsNeeds, task: Task): Promise<void> {
  const { documentId } = Object(task.payload) as { readonly documentId?: unknown }
  const document = await findById(needs.db, String(documentId))
  if (!document || document.status === 'deleted') return
  try {
    await readAndIndex(needs, document, task.signal)
  } catch (error) {
    if (error instanceof Outdated) return
    if (!task.signal.aborted) await saveFailure(needs, document, { error, attempt: task.attempt })
    throw error
  }
}

async function readAndIndex(
  needs: DocumentsNeeds,
  document: Document,
  signal: AbortSignal,
): Promise<void> {
  const config = needs.config()
  await enter(needs, document, { status: 'extracting', error: null })
  const { text, title } = await readText(needs, document, { config, signal })
  const content = {
    rawContent: text,
    encoding: 'utf8',
    contentHash: hasBytes(document) ? hashBytes(text) : document.contentHash,
    title: document.title ?? title ?? null,
  } as const
  await enter(needs, document, { status: 'chunking', ...content })
  const chunks = await listChunks(needs, text, config)
  await enter(needs, document, { status: 'embedding' })
  await enter(needs, document, { status: 'indexing' })
  const source = { ...document, title: content.title }
  const before = (await listLinks(needs.db, document.id)).map(({ memoryId }) => memoryId)
  for (let from = 0; from < chunks.length; from += batchSize) {
    signal.throwIfAborted()
    await saveBatch(needs, source, { from, texts: chunks.slice(from, from + batchSize) })
  }
  await finish(needs, source, { chunkCount: chunks.length, before })
}

/** The hash of a file of a connector is that of its bytes, by which the next sync compares it. */
function hasBytes({ encoding, origin }: Document): boolean {
  return encoding === 'base64' && origin === 'api'
}

/** Each change finds out whether the document was deleted or replaced meanwhile. */
async function enter(
  { db, host, events }: DocumentsNeeds,
  { id, agentId, project, revision }: Document,
  set: Partial<Document> & Pick<Document, 'status'>,
): Promise<void> {
  if (
    !(await changeDocument(db, { id, revision }, { ...set, updatedAt: host.now().toISOString() }))
  )
    throw new Outdated()
  events.emit(documentChanged, { id, agentId, project, status: set.status })
}

async function readText(
  needs: DocumentsNeeds,
  document: Document,
  { config, signal }: { readonly config: DocumentConfig; readonly signal: AbortSignal },
) {
  const { maxContentBytes: maxBytes } = config
  const input = await readContent(document, { outbound: needs.outbound, maxBytes, signal })
  const secretPolicy = needs.secretPolicy()
  const extracted = await needs.extraction.extractor.extract({ ...input, secretPolicy })
  if (extracted.status === 'failed') throw notIngestible(extracted.reason, extracted.message)
  return extracted
}

async function listChunks(
  { extraction }: DocumentsNeeds,
  text: string,
  { chunkSize, chunkOverlap }: DocumentConfig,
): Promise<readonly string[]> {
  const { chunks, truncated } = await extraction.extractor.chunk(text, {
    target: chunkSize,
    max: chunkSize,
    min: minChunkSize,
    overlap: Math.min(chunkOverlap, Math.floor(chunkSize / 2)),
    maxChunks,
  })
  if (truncated)
    throw notIngestible('too_large', `A document may have ${maxChunks} chunks at most.`)
  return chunks.map((chunk) => chunk.text)
}

async function saveBatch(
  needs: DocumentsNeeds,
  source: Document,
  { from, texts }: { readonly from: number; readonly texts: readonly string[] },
): Promise<void> {
  const { memory, host } = needs
  await transaction(needs.db, async (db) => {
    await lockLinks(db)
    const updatedAt = host.now().toISOString()
    if (!(await changeDocument(db, source, { updatedAt }))) throw new Outdated()
    const memoryIds = await memory.documentChunks.save(db, { source, texts })
    const links = memoryIds.map((memoryId, at) => ({
      documentId: source.id,
      memoryId,
      chunkIndex: from + at,
    }))
    await saveLinks(db, links)
  })
}

/** Forgets the chunks of an earlier version, and ends the ingest. */
async function finish(
  needs: DocumentsNeeds,
  { id, agentId, project, revision }: Document,
  { chunkCount, before }: { readonly chunkCount: number; readonly before: readonly string[] },
): Promise<void> {
  await transaction(needs.db, async (db) => {
    await lockLinks(db)
    const now = needs.host.now().toISOString()
    const reason = `Document ${id} changed`
    if (!(await changeDocument(db, { id, revision }, { updatedAt: now }))) throw new Outdated()
    await forgetLinks(needs, db, { documentId: id, from: chunkCount, reason })
    const ids = await listUnlinked(db, [...new Set(before)])
    await needs.memory.documentChunks.forget(db, { ids, reason })
    const memoryCount = new Set((await listLinks(db, id)).map(({ memoryId }) => memoryId)).size
    await changeDocument(
      db,
      { id, revision },
      {
        status: 'done',
        chunkCount,
        memoryCount,
        completedAt: now,
        updatedAt: now,
      },
    )
    afterCommit(db, () =>
      needs.events.emit(documentChanged, { id, agentId, project, status: 'done' }),
    )
  })
}

/** A document that is tried again is queued, so that its source stays taken. */
async function saveFailure(
  { db, host, events }: DocumentsNeeds,
  { id, agentId, project, revision }: Document,
  { error, attempt }: { readonly error: unknown; readonly attempt: number },
): Promise<void> {
  const status = isFinal(error) || attempt >= maxAttempts ? 'failed' : 'queued'
  const why = error instanceof Error ? error.message : 'unknown error'
  const set = { status, error: toCleanText(why.slice(0, 1_000)) } as const
  if (await changeDocument(db, { id, revision }, { ...set, updatedAt: host.now().toISOString() }))
    events.emit(documentChanged, { id, agentId, project, status })
}
