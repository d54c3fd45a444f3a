import type { Caller } from '../../kernel/auth/caller.ts'
import type { ImportsNeeds } from './needs.ts'
import { listFiles } from './store/files.ts'
import { listJobs } from './store/jobs.ts'
import { listRecords } from './store/records.ts'
import { assertTarget, readJob } from './target.ts'

const maxImports = 100
const maxRejections = 100

export async function listImports(needs: ImportsNeeds, caller: Caller) {
  assertTarget(needs, caller)
  return listJobs(needs.db, needs.agentId, maxImports)
}

export async function readImport(needs: ImportsNeeds, caller: Caller, jobId: string) {
  const job = await readJob(needs, caller, jobId)
  return { job, files: await listFiles(needs.db, job.id) }
}

/** The rejected lines in the order of the files. */
export async function listRejections(
  needs: ImportsNeeds,
  caller: Caller,
  { jobId, after }: { readonly jobId: string; readonly after: Cursor | undefined },
) {
  const { id } = await readJob(needs, caller, jobId)
  const page = { jobId: id, status: 'rejected', after, limit: maxRejections + 1 } as const
  const records = await listRecords(needs.db, page)
  const rejections = records.slice(0, maxRejections)
  const last = records.length > maxRejections ? rejections.at(-1) : undefined
  return { rejections, nextCursor: last ? toCursor(last) : null }
}

export interface Cursor {
  readonly fileOrdinal: number
  readonly ordinal: number
}

function toCursor({ fileOrdinal, ordinal }: Cursor): string {
  return `${fileOrdinal}-${ordinal}`
}

/** Undefined for a text that no reply contained. */
export function parseCursor(text: string): Cursor | undefined {
  const { file, ordinal } = /^(?<file>\d{1,3})-(?<ordinal>\d{1,15})$/.exec(text)?.groups ?? {}
  return file === undefined ? undefined : { fileOrdinal: Number(file), ordinal: Number(ordinal) }
}

/** The counts of the outcomes; their sum is the total. */
export async function reconcile(needs: ImportsNeeds, caller: Caller, jobId: string) {
  const { imported, duplicate, rejected, pending } = await readJob(needs, caller, jobId)
  return Object.entries({ imported, duplicate, rejected, pending }).map(([status, count]) => ({
    status: status as 'imported' | 'duplicate' | 'rejected' | 'pending',
    count,
  }))
}
