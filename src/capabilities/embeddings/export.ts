import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { Stream } from '../../kernel/http/stream.ts'
import type { Page } from './needs.ts'
import type { Runtime } from './runtime.ts'
import {
  type ExportRequest,
  type ExportRow,
  toExportItem,
  toExportReply,
  toExportTail,
  toFailedExport,
} from './schemas.ts'
import { hasVectorOf, readVectors } from './store/vectors.ts'

/** Rows in one read; bounded to keep the event loop responsive. */
const readBatchSizes = { plain: 500, vectors: 50 } as const

/** Yields pages of readable memories that have a vector, newest first. */
async function* readExport(
  { needs, registry }: Runtime,
  caller: Caller,
  { limit, offset, scope, vectors }: ExportRequest,
): AsyncGenerator<readonly ExportRow[]> {
  const { identity = '' } = registry.models().active ?? {}
  const batchSize = vectors ? readBatchSizes.vectors : readBatchSizes.plain
  for (let position = 0; position < limit; position += batchSize) {
    const size = Math.min(batchSize, limit - position)
    const page = { limit: size, offset: offset + position, scope, hasVector: hasVectorOf(identity) }
    const memories = await needs.memories().listReadable(caller, page)
    const ids = memories.map(({ id }) => id)
    const vectorsById = vectors ? await readVectors(needs.db, identity, ids) : undefined
    yield memories.map((memory) => ({ ...memory, vector: vectorsById?.get(memory.id) }))
    if (memories.length < size) return
  }
}

export async function listEmbedded(
  runtime: Runtime,
  caller: Caller,
  page: Page,
): Promise<{ readonly memories: readonly ExportRow[]; readonly total: number }> {
  const total = await countEmbedded(runtime, caller, page)
  const memories: ExportRow[] = []
  for await (const rows of readExport(runtime, caller, { ...page, vectors: false }))
    memories.push(...rows)
  return { memories, total }
}

async function countEmbedded(
  { needs, registry }: Runtime,
  caller: Caller,
  { scope }: Pick<Page, 'scope'>,
): Promise<number> {
  const { identity = '' } = registry.models().active ?? {}
  const filter = { scope, hasVector: hasVectorOf(identity) }
  return (await needs.memories().countReadable(caller, filter)).embedded
}

/** A fault returns an empty page with `error`. */
export async function handleExport(runtime: Runtime, caller: Caller, request: ExportRequest) {
  try {
    if (request.vectors) return await streamExport(runtime, caller, request)
    return toExportReply(await listEmbedded(runtime, caller, request), request)
  } catch (error) {
    if (error instanceof Refusal) throw error
    runtime.needs.log.error({ err: error }, 'export failed')
    return toFailedExport(request)
  }
}

/** Streams in chunks, so that 5,000 vectors do not block the event loop. */
async function streamExport(runtime: Runtime, caller: Caller, request: ExportRequest) {
  const total = await countEmbedded(runtime, caller, request)
  const pages = readExport(runtime, caller, request)
  // The first page is read before the headers are sent, because the status cannot change later.
  const { value: first = [] } = await pages.next()
  const pieces = renderChunks({ first, pages }, request, total)
  return new Stream({ contentType: 'application/json; charset=utf-8', chunks: pieces })
}

interface Pages {
  readonly first: readonly ExportRow[]
  readonly pages: ReturnType<typeof readExport>
}

async function* renderChunks(
  { first, pages }: Pages,
  request: ExportRequest,
  total: number,
): AsyncGenerator<string> {
  let count = first.length
  yield `{"embeddings":[${renderItems(first)}`
  for await (const rows of pages) {
    if (rows.length > 0) yield `,${renderItems(rows)}`
    count += rows.length
  }
  yield `],${JSON.stringify(toExportTail({ count, total }, request)).slice(1)}`
}

function renderItems(rows: readonly ExportRow[]): string {
  return rows.map((row) => JSON.stringify(toExportItem(row))).join()
}
