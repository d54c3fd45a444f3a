/** The job as its handler sees it. */
export interface Task {
  readonly id: string
  /** As JSON read it: parse before use. */
  readonly payload: unknown
  /** 1 in the first run. */
  readonly attempt: number
  readonly agentId: string | null
  readonly subject: string | null
  /** Aborted when the job is cancelled, too late, or the daemon stops. Who does not heed it is left behind. */
  readonly signal: AbortSignal
}

/** One sort of work. A run may happen more than once: it must bear that. */
export interface JobKind {
  readonly kind: string
  /** How many may be live; more are refused. 1,000 unless said otherwise. */
  readonly maxPending?: number
  /** How many of them run at once in this daemon. 1 unless said otherwise. */
  readonly concurrency?: number
  /** A longer run counts as a failed attempt. 10 minutes unless said otherwise. */
  readonly timeoutMs?: number
  /** Before the second attempt, at most; it doubles with each. 5 s unless said otherwise. */
  readonly firstBackoffMs?: number
  run(task: Task): Promise<unknown>
}

export const defaultKind = { maxPending: 1_000, atOnce: 1, timeoutMs: 600_000 } as const
