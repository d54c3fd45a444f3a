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

/** A fault is answered as an empty page, for callers that look no further. */
export async function answerExport(runtime: Runtime, caller: Caller, request: ExportRequest) {
  try {
    if (request.vectors) return await streamExport(runtime, caller, request)
    return toExportReply(await listEmbedded(runtime, caller, request), request)
  } catch (error) {
    if (error instanceof Refusal) throw error
    runtime.needs.log.error({ err: error }, 'fault')
    return toFailedExport(request)
  }
}

/** In pieces: five thousand vectors are more than the event loop should write at once. */
async function streamExport(runtime: Runtime, caller: Caller, request: ExportRequest) {
  const total = await countEmbedded(runtime, caller, request)
  const pages = readExport(runtime, caller, request)
  // Read before anything is sent: an answer that has begun cannot say any more that it fails.
  const { value: first = [] } = await pages.next()
  const pieces = writePieces({ first, pages }, request, total)
  return new Stream({ contentType: 'application/json; charset=utf-8', pieces })
}

interface Pages {
  readonly first: readonly ExportRow[]
  readonly pages: ReturnType<typeof readExport>
}

async function* writePieces(
  { first, pages }: Pages,
  request: ExportRequest,
  total: number,
): AsyncGenerator<string> {
  let count = first.length
  yield `{"embeddings":[${writeItems(first)}`
  for await (const rows of pages) {
    if (rows.length > 0) yield `,${writeItems(rows)}`
    count += rows.length
  }
  yield `],${JSON.stringify(toExportTail({ count, total }, request)).slice(1)}`
}

function writeItems(rows: readonly ExportRow[]): string {
  return rows.map((row) => JSON.stringify(toExportItem(row))).join()
}
