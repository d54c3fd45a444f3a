import type { Db } from '../db/database.ts'
import { addMs, type JobState } from './job.ts'
import {
  type CountFilter,
  countByState,
  countLeasedBefore,
  findLastReason,
  findOldest,
} from './store/counts.ts'

export interface Counts extends Readonly<Record<JobState, number>> {
  /** Age of the oldest waiting job since it was enqueued; 0 when no job waits. */
  readonly oldestAgeSec: number
  /** Time since the oldest dead job died; 0 when no job is dead. */
  readonly oldestDeadAgeSec: number
  /** Share of dead jobs among the jobs that completed or died in the last hour. */
  readonly deadRate: number
  /** Leased jobs that were enqueued more than ten minutes ago. */
  readonly leaseAnomalies: number
  readonly lastError: string | null
}

const lastHourMs = 3_600_000
const suspectMs = 600_000

export async function readCounts(db: Db, now: Date): Promise<Counts> {
  const oldest = await findOldest(db)
  const { completed, dead } = await countByState(db, { updatedSince: addMs(now, -lastHourMs) })
  return {
    ...(await countByState(db)),
    oldestAgeSec: secondsSince(now, oldest.waiting),
    oldestDeadAgeSec: secondsSince(now, oldest.dead),
    deadRate: dead === 0 ? 0 : dead / (completed + dead),
    leaseAnomalies: await countLeasedBefore(db, addMs(now, -suspectMs)),
    lastError: (await findLastReason(db)) ?? null,
  }
}

export interface KindCounts extends Readonly<Record<JobState, number>> {
  /** Same as `Counts.oldestAgeSec`, for these jobs only. */
  readonly oldestAgeSec: number
}

/** Counts jobs of one kind, and of one agent when given. */
export async function readKindCounts(
  db: Db,
  now: Date,
  filter: Required<Pick<CountFilter, 'kind'>> & CountFilter,
): Promise<KindCounts> {
  const { waiting } = await findOldest(db, filter)
  return { ...(await countByState(db, filter)), oldestAgeSec: secondsSince(now, waiting) }
}

function secondsSince(now: Date, then: string | undefined): number {
  return then === undefined ? 0 : Math.max(0, Math.floor((now.getTime() - Date.parse(then)) / 1000))
}
