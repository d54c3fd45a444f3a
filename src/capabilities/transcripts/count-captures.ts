import { captureKind } from './capture-record.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { countByCompletion } from './store/captures.ts'

export interface CaptureCounts {
  readonly pending: number
  readonly processing: number
  readonly completed: number
  /** An attempt failed and another follows. */
  readonly failed: number
  /** None follows. */
  readonly dead: number
  /** Since the oldest that waits was asked for; 0 when none waits. */
  readonly oldestAgeSec: number
}

/** Of one agent where one is named; each session counts once, by its latest capture. */
export async function countCaptures(
  { db, jobs }: Pick<TranscriptsNeeds, 'db' | 'jobs'>,
  agentId?: string,
): Promise<CaptureCounts> {
  const [live, { open, completed }] = await Promise.all([
    jobs.countsOf(captureKind, agentId),
    countByCompletion(db, agentId),
  ])
  const { pending, leased: processing, failed, oldestAgeSec } = live
  const dead = Math.max(0, open - pending - processing - failed)
  return { pending, processing, completed, failed, dead, oldestAgeSec }
}
