import { createHash } from 'node:crypto'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Job } from '../../kernel/jobs/job.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { findCapture } from './store/captures.ts'
import type { SessionRef } from './transcript.ts'

/** That a transcript is to be written down, and what became of it. */
export interface Capture extends SessionRef {
  readonly id: string
  /** Of the content that is to be captured, or was. */
  readonly contentHash: string
  /** The latest job; null where none would do. */
  readonly jobId: string | null
  /** Why there is no job. */
  readonly problem: string | null
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Receipt {
  readonly id: string
  readonly status: 'pending' | 'processing' | 'completed' | 'failed' | 'dead'
  readonly error: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt: string | null
  readonly attempts: number
}

/** The same session has the same, so that whoever ends it twice asks for one thing. */
export function captureIdOf({ agentId, sessionKey }: SessionRef): string {
  const digest = createHash('sha256').update(`${agentId}\0session:${sessionKey}`).digest('hex')
  return `tcj_${digest.slice(0, 32)}`
}

/** Never a word of the transcript, nor where it is. */
export async function readReceipt(
  { db, jobs }: Pick<TranscriptsNeeds, 'db' | 'jobs'>,
  { agentId }: { readonly agentId: string },
  id: string,
): Promise<Receipt> {
  const capture = await findCapture(db, { agentId, id })
  if (!capture) throw new Refusal('not_found', 'not_found', 'Transcript capture job not found')
  const job = capture.jobId === null ? undefined : await jobs.find(capture.jobId)
  const { createdAt, updatedAt, completedAt } = capture
  const times = { createdAt, updatedAt, completedAt }
  const attempts = job?.attempts ?? 0
  if (completedAt !== null) return { id, status: 'completed', error: null, ...times, attempts }
  const error = job?.reason ?? capture.problem
  return { id, status: statusOf(job), error, ...times, attempts }
}

function statusOf(job: Job | undefined): Receipt['status'] {
  if (job?.state === 'leased' || job?.state === 'completed') return 'processing'
  if (job?.state === 'pending' || job?.state === 'failed') return job.state
  return 'dead'
}
