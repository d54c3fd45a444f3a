import { captureJobKind } from './capture-record.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { countByCompletion } from './store/captures.ts'

export interface CaptureCounts {
  readonly pending: number
  readonly processing: number
  readonly completed: number
  /** Captures that failed and are retried. */
  readonly failed: number
  /** Captures that are not retried. */
  readonly dead: number
  /** Age of the oldest pending capture; 0 without one. */
  readonly oldestAgeSec: number
}

/** Counts each session once, by its latest capture; limited to one agent when given. */
export async function countCaptures(
  { db, jobs }: Pick<TranscriptsNeeds, 'db' | 'jobs'>,
  agentId?: string,
): Promise<CaptureCounts> {
  const [live, { open, completed }] = await Promise.all([
    jobs.countsOf(captureJobKind, agentId),
    countByCompletion(db, agentId),
  ])
  const { pending, leased: processing, failed, oldestAgeSec } = live
  const dead = Math.max(0, open - pending - processing - failed)
  return { pending, processing, completed, failed, dead, oldestAgeSec }
}
