import type { Db } from '../db/database.ts'
import { afterCommit } from '../db/transaction.ts'
import type { Host } from '../host/host.ts'
import type { Log } from '../log/log.ts'
import { type Counts, readCounts } from './counts.ts'
import { type Enqueued, enqueue, type NewJob } from './enqueue.ts'
import type { Job } from './job.ts'
import { type JobKind, ordinaryKind } from './kind.ts'
import { cancelJobs, deleteEnded, findJob, requeueDead } from './store.ts'
import { Worker } from './worker.ts'

export interface JobsNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  /** How many jobs run at once in this daemon; 4 unless said otherwise. */
  readonly slots?: number
  /** A daemon that is not heard of for so long has lost its jobs; 60 s unless said otherwise. */
  readonly leaseMs?: number
}

export interface Jobs {
  /** Says who does one kind of work. Before `start`. */
  handle(kind: JobKind): void
  /** Within the caller's transaction, if there is one. Refuses `queue_full`. */
  enqueue(db: Db, job: NewJob): Promise<Enqueued>
  /** Ends what is live and fits all that is said; what runs is told by its signal. Gives how many. */
  cancel(db: Db, scope: JobScope): Promise<number>
  find(id: string): Promise<Job | undefined>
  counts(): Promise<Counts>
  /** Gives the dead another life, those of longest ago first. Gives how many. */
  requeueDead(limit: number): Promise<number>
  /** Deletes what ended before these times, at most `limit` of each. */
  sweep(before: SweepBefore): Promise<{ readonly completedJobs: number; readonly deadJobs: number }>
  start(): void
  pause(): void
  resume(): void
  /** Running jobs have so long to finish; then they are aborted and wait for the next start. */
  stop(graceMs?: number): Promise<void>
}

type JobScope =
  | { readonly id: string }
  | { readonly subject: string; readonly agentId?: string }
  | { readonly agentId: string }

interface SweepBefore {
  /** For completed and cancelled jobs. */
  readonly completed: Date
  readonly dead: Date
  readonly limit: number
}

export function createJobs(needs: JobsNeeds): Jobs {
  const { db, host, log, slots = 4, leaseMs = 60_000 } = needs
  const kinds = new Map<string, JobKind>()
  const worker = new Worker({ db, host, log, slots, leaseMs, kinds, owner: host.newId() })
  const now = () => host.now().toISOString()
  return {
    handle: (kind) => {
      if (kinds.has(kind.kind)) throw new Error(`Two handlers for the jobs '${kind.kind}'.`)
      kinds.set(kind.kind, kind)
    },
    enqueue: async (db, job) => {
      const { liveAtMost = ordinaryKind.liveAtMost } = kinds.get(job.kind) ?? {}
      const enqueued = await enqueue({ db, host }, job, liveAtMost)
      afterCommit(db, () => worker.wake())
      return enqueued
    },
    cancel: async (db, scope) => {
      const ids = await cancelJobs(db, scope, {
        reason: 'cancelled',
        leaseUntil: null,
        leaseOwner: null,
        updatedAt: now(),
      })
      afterCommit(db, () => worker.abort(ids))
      return ids.length
    },
    find: (id) => findJob(db, id),
    counts: () => readCounts(db, host.now()),
    requeueDead: async (limit) => {
      const requeued = await requeueDead(db, limit, now())
      worker.wake()
      return requeued
    },
    sweep: async ({ completed, dead, limit }) => ({
      completedJobs: await deleteEnded(db, ['completed', 'cancelled'], {
        before: completed.toISOString(),
        limit,
      }),
      deadJobs: await deleteEnded(db, ['dead'], { before: dead.toISOString(), limit }),
    }),
    start: () => worker.start(),
    pause: () => worker.pause(),
    resume: () => worker.resume(),
    stop: (graceMs = 5_000) => worker.stop(graceMs),
  }
}
