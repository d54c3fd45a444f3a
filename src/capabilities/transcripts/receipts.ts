import type { Caller } from '../../kernel/auth/caller.ts'
import { isInProject } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Job } from '../../kernel/jobs/job.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { findCapture } from './store/captures.ts'
import { findOrigin } from './store/transcripts.ts'

export interface Receipt {
  readonly id: string
  readonly status: 'pending' | 'processing' | 'completed' | 'failed' | 'dead'
  readonly error: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt: string | null
  readonly attempts: number
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
    throw new Refusal('not_found', 'not_found', 'Transcript capture job not found')
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
