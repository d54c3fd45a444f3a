import type { Caller } from '../../kernel/auth/caller.ts'
import { isInProject } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { notFound } from '../../kernel/errors/refusal.ts'
import { toJsonStream } from '../../kernel/http/stream.ts'
import type { Job } from '../../kernel/jobs/job.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import type { Receipt } from './schemas.ts'
import { deleteCapturesBefore, findCapture } from './store/captures.ts'
import { findFileState } from './store/transcript-files.ts'
import { countTurns, findHeader, findOrigin, findTranscript } from './store/transcripts.ts'
import type { SessionRef, TranscriptHeader } from './transcript.ts'

/** Limited to the caller's agent and project. Includes archived content until it is replaced. */
export async function readTranscript(
  { db, texts }: Pick<TranscriptsRuntime, 'db' | 'texts'>,
  caller: Caller,
  sessionKey: string,
) {
  const { agentId } = caller
  const transcript = await findTranscript(db, { agentId, sessionKey })
  if (!transcript || !isInProject(caller, transcript.project))
    throw notFound('Transcript not found')
  const body = await texts.show({ agentId, sessionKey, content: transcript.content })
  return body instanceof Uint8Array ? toJsonStream(body) : body
}

/** The header with `tail` characters of content, with the same access rules. */
export async function readHeader(
  { db }: Pick<TranscriptsRuntime, 'db'>,
  caller: Caller,
  { sessionKey, tail }: { readonly sessionKey: string; readonly tail: number },
): Promise<TranscriptHeader | undefined> {
  const { agentId } = caller
  const outline = await findHeader(db, { agentId, sessionKey }, tail)
  return outline && isInProject(caller, outline.project) ? outline : undefined
}

/** Contains neither transcript text nor paths. */
export async function readReceipt(
  { db, jobs }: Pick<TranscriptsNeeds, 'db' | 'jobs'>,
  caller: Pick<Caller, 'agentId' | 'scope'>,
  id: string,
): Promise<Receipt> {
  const capture = await findCapture(db, { agentId: caller.agentId, id })
  const origin = capture && (await findOrigin(db, capture))
  if (!capture || !isInProject(caller, origin?.project))
    throw notFound('Transcript capture job not found')
  const job = capture.jobId === null ? undefined : await jobs.find(capture.jobId)
  const { createdAt, updatedAt, completedAt } = capture
  const times = { createdAt, updatedAt, completedAt }
  const attempts = job?.attempts ?? 0
  if (completedAt !== null) return { id, status: 'completed', error: null, ...times, attempts }
  const error = maskPaths(job?.reason ?? capture.problem)
  return { id, status: statusOf(job), error, ...times, attempts }
}

function statusOf(job: Job | undefined): Receipt['status'] {
  if (job?.state === 'leased' || job?.state === 'completed') return 'processing'
  if (job?.state === 'pending' || job?.state === 'failed') return job.state
  return 'dead'
}

/** Error messages of the file system contain paths. */
function maskPaths(reason: string | null): string | null {
  return reason?.replaceAll(/'[^']*'|"[^"]*"|(?:[A-Za-z]:)?[\\/]\S+/g, '…') ?? null
}

/**
 * The turn count of a session, archived turns included. The file has them all but may lack the
 * newest. 0 without a stored transcript.
 */
export async function countAllTurns(db: Db, session: SessionRef): Promise<number> {
  const [stored, { checkpoint }] = await Promise.all([
    countTurns(db, session),
    findFileState(db, session),
  ])
  return Math.max(stored, checkpoint?.seq ?? 0)
}

const dayMs = 86_400_000
/** Receipts are deleted after this time; transcripts stay. */
const receiptDays = 30

export async function sweep({ db, host }: Pick<TranscriptsNeeds, 'db' | 'host'>): Promise<void> {
  const before = new Date(host.now().getTime() - receiptDays * dayMs).toISOString()
  await deleteCapturesBefore(db, before)
}
