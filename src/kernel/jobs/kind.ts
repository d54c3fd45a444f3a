/** The view of a job that its handler receives. */
export interface Task {
  readonly id: string
  /** Parsed JSON. Validate it before use. */
  readonly payload: unknown
  /** 1 on the first run. */
  readonly attempt: number
  readonly agentId: string | null
  readonly subject: string | null
  /**
   * Aborts on cancellation, on the deadline and on shutdown. The worker does not wait for a handler
   * that ignores it.
   */
  readonly signal: AbortSignal
}

/** A kind of job. Handlers must be idempotent: a job may run more than once. */
export interface JobKind {
  readonly kind: string
  /** Maximum live jobs of this kind; further jobs are refused. Default 1,000. */
  readonly maxPending?: number
  /** Maximum concurrent jobs of this kind in this daemon. Default 1. */
  readonly concurrency?: number
  /** Deadline of a run. A longer run counts as a failed attempt. Default 10 minutes. */
  readonly timeoutMs?: number
  /** Maximum backoff before the second attempt. It doubles with each retry. Default 5 s. */
  readonly firstBackoffMs?: number
  /** Not leased while the gate is closed. A run that the gate aborts is repeated and not counted. */
  readonly background?: boolean
  run(task: Task): Promise<unknown>
}

export const defaultKind = { maxPending: 1_000, concurrency: 1, timeoutMs: 600_000 } as const
