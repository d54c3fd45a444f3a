import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { memoryForgotten, memorySaved, toEventFields } from './events.ts'
import { notifyDependants } from './evidence.ts'
import {
  type Author,
  hashContent,
  type Memory,
  newHistoryEvent,
  normalizeContent,
} from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { followSources } from './sources.ts'
import { listByContent } from './store/by-content.ts'
import { insertHistoryQueries } from './store/history.ts'
import { listByIds } from './store/memories.ts'
import { insertMemoriesQueries, updateMemoriesQueries } from './store/memory-batches.ts'

type Needs = Pick<MemoryNeeds, 'host' | 'events' | 'embeddings' | 'evidenceDependants'>

/** The document whose chunks are memories. */
export interface ChunkSource {
  readonly id: string
  readonly agentId: string
  readonly project: string | null
  readonly title: string | null
}

/** A chunk as the documents capability lists it. */
interface Chunk extends Pick<Memory, 'id' | 'content' | 'type' | 'createdAt'> {}

const chunkType = 'document_chunk'
const sourceType = 'document'
const author: Author = {
  name: 'document_ingest',
  actorType: 'daemon',
  sessionId: null,
  requestId: null,
}
/** Rows of one batch of statements. */
const batchSize = 200

/**
 * Saves texts as memories in the transaction of `db`. A text that the agent remembers in the same
 * project already is not saved again. Returns the id of the memory of each text.
 */
export async function saveChunks(
  needs: Needs,
  db: Db,
  { source, texts }: { readonly source: ChunkSource; readonly texts: readonly string[] },
): Promise<readonly string[]> {
  const hashes = texts.map((text) => hashContent(normalizeContent(text)))
  const stored = await listByContent(db, { ...source, hashes })
  const missing = new Map<string, Memory>()
  for (const [at, text] of texts.entries()) {
    const hash = hashes[at] ?? ''
    if (!stored.has(hash) && !missing.has(hash)) missing.set(hash, newChunk(needs, source, text))
  }
  const memories = [...missing.values()]
  const writes = [
    ...insertMemoriesQueries(db, memories),
    ...memories.flatMap((memory) => needs.embeddings.embedInline(memory)?.writes(db) ?? []),
    ...insertHistoryQueries(
      db,
      memories.map((memory) => historyOf(needs, memory, { event: 'created' })),
    ),
  ]
  if (writes.length > 0) await executeBatch(db, writes)
  for (const memory of memories)
    afterCommit(db, () => needs.events.emit(memorySaved, toEventFields(memory)))
  // Another writer may have saved one of the texts in between.
  const saved = missing.size > 0 ? await listByContent(db, { ...source, hashes }) : stored
  return hashes.map((hash) => {
    const id = saved.get(hash)
    if (id === undefined) throw new Error('A chunk was not saved.')
    return id
  })
}

function newChunk({ host }: Needs, source: ChunkSource, text: string): Memory {
  const content = normalizeContent(text)
  const contentHash = hashContent(content)
  const now = host.now().toISOString()
  return {
    ...initialFields,
    id: host.newId(),
    agentId: source.agentId,
    project: source.project,
    content,
    contentHash,
    tags: source.title === null ? [] : [`document:${source.title}`],
    who: source.id,
    sourceId: source.id,
    // A source may have one memory per part.
    sourcePart: contentHash.slice(0, 32),
    createdAt: now,
    updatedAt: now,
  }
}

const initialFields = {
  visibility: 'private',
  scope: null,
  sessionId: null,
  type: chunkType,
  memoryKind: 'episodic',
  importance: 0.3,
  pinned: false,
  sourceType,
  sourcePath: null,
  runtimePath: null,
  idempotencyKey: null,
  confidence: null,
  extractionStatus: 'none',
  version: 1,
  updatedBy: author.name,
  deletedAt: null,
  supersededBy: null,
  supersededAt: null,
  supersededReason: null,
  reviewAfter: null,
  evidence: { why: 'document_ingest' },
} as const

/**
 * Forgets chunks in the transaction of `db`. Memories that were not saved as chunks are not deleted. Returns
 * the number of forgotten ones.
 */
export async function forgetChunks(
  needs: Needs,
  db: Db,
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
): Promise<number> {
  let count = 0
  for (let at = 0; at < ids.length; at += batchSize) {
    const stored = await listByIds(db, ids.slice(at, at + batchSize))
    const chunks = stored.filter(
      (memory) =>
        memory.deletedAt === null && memory.sourceType === sourceType && memory.type === chunkType,
    )
    await forgetBatch(needs, db, { chunks, reason })
    count += chunks.length
  }
  return count
}

async function forgetBatch(
  needs: Needs,
  db: Db,
  { chunks, reason }: { readonly chunks: readonly Memory[]; readonly reason: string },
): Promise<void> {
  if (chunks.length === 0) return
  const now = needs.host.now().toISOString()
  const set = { deletedAt: now, updatedAt: now, updatedBy: author.name }
  const writes = [
    ...updateMemoriesQueries(
      db,
      chunks.map((memory) => ({ memory, set })),
    ),
    ...insertHistoryQueries(
      db,
      chunks.map((memory) => historyOf(needs, memory, { event: 'deleted', reason })),
    ),
  ]
  await executeBatch(db, writes)
  const ids = chunks.map(({ id }) => id)
  for (const [agentId, rows] of Map.groupBy(chunks, (row) => row.agentId))
    await notifyDependants(needs, db, {
      event: 'deleted',
      agentId,
      ids: rows.map(({ id }) => id),
    })
  await followSources({ ...needs, caller: author }, db, { event: 'deleted', ids, now })
  for (const memory of chunks) {
    const event = { ...toEventFields(memory), version: memory.version + 1 }
    afterCommit(db, () => needs.events.emit(memoryForgotten, event))
  }
}

function historyOf(
  { host }: Needs,
  { id, content }: Memory,
  {
    event,
    reason = null,
  }: { readonly event: 'created' | 'deleted'; readonly reason?: string | null },
) {
  return newHistoryEvent(
    { host, caller: author },
    {
      memoryId: id,
      event,
      reason,
      createdAt: host.now().toISOString(),
      oldContent: event === 'deleted' ? content : null,
    },
  )
}

/** The live memories of these ids, in no order. No read check. */
export async function listChunks(db: Db, ids: readonly string[]): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = []
  for (let at = 0; at < ids.length; at += batchSize) {
    const stored = await listByIds(db, ids.slice(at, at + batchSize))
    chunks.push(...stored.filter(({ deletedAt }) => deletedAt === null))
  }
  return chunks
}
