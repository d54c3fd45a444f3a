import { Refusal, type RefusalKind } from '../errors/refusal.ts'

/** `failed`: an attempt failed and another follows. `dead`: it failed and none follows. */
export type JobState = 'pending' | 'leased' | 'completed' | 'failed' | 'dead' | 'cancelled'

export interface Job {
  readonly id: string
  readonly kind: string
  /** What `JSON.parse` made of it: its handler parses it further. */
  readonly payload: unknown
  readonly state: JobState
  /** The higher goes first. */
  readonly priority: number
  /** Counted when a run begins, so that a run which kills the process counts as well. */
  readonly attempts: number
  readonly maxAttempts: number
  readonly runAfter: string
  readonly leaseUntil: string | null
  readonly leaseOwner: string | null
  /** Why the last attempt failed, or why there will be no other. */
  readonly reason: string | null
  readonly dedupeKey: string | null
  readonly agentId: string | null
  /** What the job is about, as `memory:<id>`: who forgets it cancels its jobs. */
  readonly subject: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** What becomes of a job; the rest of it stays for as long as there is one. */
export type JobChange = Partial<Omit<Job, 'id' | 'kind' | 'payload' | 'createdAt'>> &
  Pick<Job, 'updatedAt'>

/** As long as nobody runs it. */
export const leaseCleared = { leaseUntil: null, leaseOwner: null } as const

export const waitingStates: readonly JobState[] = ['pending', 'failed']
export const liveStates: readonly JobState[] = [...waitingStates, 'leased']

export const defaultMaxAttempts = 3
const firstBackoffMs = 5_000
const maxBackoffMs = 600_000
const maxReasonLength = 1_000

/** Doubles with each attempt; the jitter keeps jobs that failed together from returning together. */
export function backoffMs(attempts: number, random: number, firstMs = firstBackoffMs): number {
  const full = Math.min(maxBackoffMs, firstMs * 2 ** (attempts - 1))
  return Math.round(full * (0.5 + random / 2))
}

const transientKinds: Partial<Record<RefusalKind, true>> = {
  unavailable: true,
  too_many: true,
  conflict: true,
}

/** A refusal stands however often one asks, unless it is about the moment. */
export function isFinal(error: unknown): boolean {
  return error instanceof Refusal && !transientKinds[error.kind]
}

export function toReason(error: unknown): string {
  const code = error instanceof Refusal ? `${error.code}: ` : ''
  const message = error instanceof Error ? error.message : String(error)
  return `${code}${message}`.slice(0, maxReasonLength)
}

export function addMs(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString()
}
