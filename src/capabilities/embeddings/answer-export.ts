import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type ExportRequest, exportEmbeddings } from './export.ts'
import type { Runtime } from './runtime.ts'
import { toExportReply, toFailedExport } from './schemas.ts'

/** A fault is answered as an empty page, for callers that look no further. */
export async function answerExport(runtime: Runtime, caller: Caller, request: ExportRequest) {
  try {
    return toExportReply(await exportEmbeddings(runtime, caller, request), request)
  } catch (error) {
    if (error instanceof Refusal) throw error
    runtime.needs.log.error({ err: error }, 'fault')
    return toFailedExport(request)
  }
}
