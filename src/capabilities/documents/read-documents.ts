import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { type Document, ingestJob } from './document.ts'
import type { DocumentsNeeds } from './needs.ts'
import { documentNotFound, jobNotFound } from './refusals.ts'
import type { chunksReply, documentRow, jobReply, listQuery } from './schemas.ts'
import { findDocument, listDocuments } from './store/documents.ts'
import { listLinks } from './store/links.ts'

export async function readDocument({ db }: DocumentsNeeds, caller: Caller, id: string) {
  const document = await findDocument(db, caller, id)
  if (!document) throw documentNotFound()
  // The bytes of a file that waits are no text.
  const content = document.encoding === 'base64' ? null : document.rawContent
  return { ...toRow(document), raw_content: content, content }
}

export async function listAll(
  { db }: DocumentsNeeds,
  caller: Caller,
  { status, limit, offset }: z.output<typeof listQuery>,
) {
  const { documents, total } = await listDocuments(db, caller, { status, limit, offset })
  return { documents: documents.map(toRow), total, limit, offset }
}

/** The chunks whose memories are not forgotten. */
export async function listChunks(
  { db, memory }: DocumentsNeeds,
  caller: Caller,
  id: string,
): Promise<z.input<typeof chunksReply>> {
  if (!(await findDocument(db, caller, id))) throw documentNotFound()
  const links = await listLinks(db, id)
  const ids = [...new Set(links.map(({ memoryId }) => memoryId))]
  const memories = new Map(
    (await memory.documentChunks.list(db, ids)).map((chunk) => [chunk.id, chunk]),
  )
  const chunks = links.flatMap(({ memoryId, chunkIndex }) => {
    const chunk = memories.get(memoryId)
    if (!chunk) return []
    const { content, type, createdAt } = chunk
    return [{ id: memoryId, content, type, created_at: createdAt, chunk_index: chunkIndex }]
  })
  return { chunks, count: chunks.length }
}

/** The state of an ingest job of the caller's agent. */
export async function readJob(
  { db, jobs }: DocumentsNeeds,
  caller: Caller,
  id: string,
): Promise<z.input<typeof jobReply>> {
  const job = await jobs.find(id)
  const { documentId } = Object(job?.payload) as { readonly documentId?: string }
  if (job?.kind !== ingestJob || documentId === undefined) throw jobNotFound()
  if (!(await findDocument(db, caller, documentId))) throw jobNotFound()
  const { kind: type, state: status, attempts, reason, createdAt, updatedAt } = job
  return {
    id,
    type,
    status,
    attempts,
    ...(reason !== null && { error: reason }),
    documentId,
    createdAt,
    updatedAt,
  }
}

function toRow(document: Document): z.input<typeof documentRow> {
  const { metadataJson, sourceUrl } = document
  return {
    id: document.id,
    source_url: sourceUrl,
    url: sourceUrl,
    source_type: document.sourceType,
    content_type: document.contentType,
    content_hash: document.contentHash,
    title: document.title,
    status: document.status,
    error: document.error,
    connector_id: document.connectorId,
    chunk_count: document.chunkCount,
    memory_count: document.memoryCount,
    metadata: metadataJson === null ? null : JSON.parse(metadataJson),
    metadata_json: metadataJson,
    agent_id: document.agentId,
    project: document.project,
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    completed_at: document.completedAt,
  }
}
