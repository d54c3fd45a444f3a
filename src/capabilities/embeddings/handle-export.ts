import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { Stream } from '../../kernel/http/stream.ts'
import {
  countEmbedded,
  type ExportRequest,
  type ExportRow,
  listEmbedded,
  readExport,
} from './export.ts'
import type { Runtime } from './runtime.ts'
import { toExportItem, toExportReply, toExportTail, toFailedExport } from './schemas.ts'

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
