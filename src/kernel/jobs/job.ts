import { Refusal, type RefusalKind } from '../errors/refusal.ts'
import { messageOf } from '../errors/system-error.ts'

/** `failed`: an attempt failed and a retry follows. `dead`: it failed and no retry follows. */
export type JobState = 'pending' | 'leased' | 'completed' | 'failed' | 'dead' | 'cancelled'

export interface Job {
  readonly id: string
  readonly kind: string
  /** Parsed JSON. The handler validates it. */
  readonly payload: unknown
  readonly state: JobState
  /** Jobs with a higher value run first. */
  readonly priority: number
  /** Counted when a run begins, so that a run which kills the process counts too. */
  readonly attempts: number
  readonly maxAttempts: number
  readonly runAfter: string
  readonly leaseUntil: string | null
  readonly leaseOwner: string | null
  /** Why the last attempt failed, or why no retry follows. */
  readonly reason: string | null
  readonly dedupeKey: string | null
  readonly agentId: string | null
  /** The subject of the job, as `memory:<id>`. Deleting the subject cancels its jobs. */
  readonly subject: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The mutable fields of a job. The other fields never change. */
export type JobChange = Partial<Omit<Job, 'id' | 'kind' | 'payload' | 'createdAt'>> &
  Pick<Job, 'updatedAt'>

/** The lease fields of a job that is not running. */
export const leaseCleared = { leaseUntil: null, leaseOwner: null } as const

export const waitingStates: readonly JobState[] = ['pending', 'failed']
export const liveStates: readonly JobState[] = [...waitingStates, 'leased']

export const defaultMaxAttempts = 3
const firstBackoffMs = 5_000
const maxBackoffMs = 600_000
const maxReasonLength = 1_000

/** Exponential backoff. The jitter spreads the retries of jobs that failed together. */
export function backoffMs(attempts: number, random: number, firstMs = firstBackoffMs): number {
  const full = Math.min(maxBackoffMs, firstMs * 2 ** (attempts - 1))
  return Math.round(full * (0.5 + random / 2))
}

const transientKinds: Partial<Record<RefusalKind, true>> = {
  unavailable: true,
  too_many: true,
  conflict: true,
}

/** A refusal is final, unless its cause is temporary. */
export function isFinal(error: unknown): boolean {
  return error instanceof Refusal && !transientKinds[error.kind]
}

export function toReason(error: unknown): string {
  const code = error instanceof Refusal ? `${error.code}: ` : ''
  const message = messageOf(error)
  return `${code}${message}`.slice(0, maxReasonLength)
}

export function addMs(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString()
}
