import type { SourceEntry } from '../source.ts'

export type JobStatus = 'queued' | 'running' | 'complete' | 'paused' | 'failed'

/** One index run of a source. It lives in memory. */
export interface IndexJob {
  readonly id: string
  readonly sourceId: string
  readonly status: JobStatus
  /** Whether the run ended before it had seen everything. */
  readonly partial: boolean
  readonly scanned: number
  readonly total: number
  readonly indexed: number
  readonly currentPath?: string | undefined
  readonly statusMessage?: string | undefined
  readonly pauseReason?: string | undefined
  readonly error?: string | undefined
  /** When a paused run starts again. */
  readonly retryAt?: string | undefined
  /** Whether only a request of the user starts a run again. */
  readonly isFinal?: boolean
  readonly resumeFrontier: string | null
  readonly queuedAt: string
  readonly startedAt?: string | undefined
  readonly finishedAt?: string | undefined
}

/** How a run of a kind ended. An exception is a failure. */
export type RunResult =
  | { readonly status: 'complete' }
  | {
      readonly status: 'paused'
      readonly reason: string
      readonly message: string
      readonly frontier: string | null
    }
  | { readonly status: 'failed'; readonly error: string }

export const isActive = ({ status }: IndexJob) => status === 'queued' || status === 'running'

export function createJob({ id }: Pick<SourceEntry, 'id'>, now: Date): IndexJob {
  return {
    id: `source-index:${id}:${now.getTime()}`,
    sourceId: id,
    status: 'queued',
    partial: false,
    scanned: 0,
    total: 0,
    indexed: 0,
    resumeFrontier: null,
    queuedAt: now.toISOString(),
  }
}
