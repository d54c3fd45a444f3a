import type { Db } from '../db/database.ts'
import { afterCommit } from '../db/transaction.ts'
import type { Gate } from '../gate/gate.ts'
import type { HealthCheck } from '../health/health.ts'
import type { Host } from '../host/host.ts'
import type { Log } from '../log/log.ts'
import { type Counts, type KindCounts, readCounts, readKindCounts } from './counts.ts'
import { type Enqueued, enqueue, type NewJob } from './enqueue.ts'
import { toQueueHealth } from './health.ts'
import { addMs, type Job, type JobChange, type JobState, leaseCleared } from './job.ts'
import { defaultKind, type JobKind } from './kind.ts'
import { changeDead, changeLive, deleteEnded, findJob } from './store/jobs.ts'
import { Worker } from './worker.ts'

export interface JobsNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  /** Maximum concurrent jobs in this daemon; default 4. */
  readonly slots?: number
  /** Lease TTL. Jobs of a daemon that renews no lease for this long are recovered. Default 60 s. */
  readonly leaseMs?: number
  /** No other daemon uses this database: leases found at the start are released immediately. */
  readonly exclusive?: boolean
  /** Holds back background kinds while it is closed. Without one they always run. */
  readonly gate?: Pick<Gate, 'isOpen' | 'onOpen'>
}

export interface Jobs {
  /** Registers the handler of a kind. Call it before `start`. */
  handle(kind: JobKind): void
  /** Joins the transaction of the caller. Refuses with `queue_full`. */
  enqueue(db: Db, job: NewJob): Promise<Enqueued>
  /** Cancels live jobs that match the filter and aborts the running ones. Returns their number. */
  cancel(db: Db, scope: JobScope): Promise<number>
  find(id: string): Promise<Job | undefined>
  counts(): Promise<Counts>
  /** Counts jobs of one kind, and of one agent when given. */
  countsOf(kind: string, agentId?: string): Promise<KindCounts>
  readonly health: HealthCheck
  /** Requeues dead jobs, the oldest first. Returns their number. */
  requeueDead(limit: number): Promise<number>
  /** Deletes jobs that completed or were cancelled 14 days ago, and dead jobs after 30 days. */
  sweep(): Promise<SweepResult>
  start(): void
  /** Looks for due jobs now. */
  wake(): void
  /** The number of running jobs. */
  running(): number
  pause(): void
  resume(): void
  /** Running jobs get a grace period. Then they are aborted and run again after the next start. */
  stop(graceMs?: number): Promise<void>
}

type JobScope =
  | { readonly id: string }
  | { readonly subject: string; readonly agentId?: string }
  | { readonly agentId: string }

interface SweepResult {
  readonly completedJobs: number
  readonly deadJobs: number
}

export function createJobs(needs: JobsNeeds): Jobs {
  const { db, host, log, slots = 4, leaseMs = 60_000, exclusive: alone = false, gate } = needs
  const kinds = new Map<string, JobKind>()
  const isGateOpen = () => gate?.isOpen() ?? true
  const limits = { slots, leaseMs, alone, isGateOpen }
  const worker = new Worker({ db, host, log, kinds, owner: host.newId(), ...limits })
  gate?.onOpen(() => worker.wake())
  const now = () => host.now().toISOString()
  return {
    handle: (kind) => {
      if (kinds.has(kind.kind)) throw new Error(`Two handlers for the jobs '${kind.kind}'.`)
      kinds.set(kind.kind, kind)
    },
    enqueue: async (db, job) => {
      const { maxPending = defaultKind.maxPending } = kinds.get(job.kind) ?? {}
      const enqueued = await enqueue({ db, host }, job, maxPending)
      afterCommit(db, () => worker.wake())
      return enqueued
    },
    cancel: async (db, scope) => {
      const ended = { state: 'cancelled', reason: 'cancelled', ...leaseCleared } as const
      const ids = await changeLive(db, scope, { ...ended, updatedAt: now() })
      afterCommit(db, () => worker.abort(ids))
      return ids.length
    },
    find: (id) => findJob(db, id),
    counts: () => readCounts(db, host.now()),
    countsOf: (kind, agentId) => readKindCounts(db, host.now(), { kind, agentId }),
    health: {
      name: 'queue',
      check: async () => {
        const counts = await readCounts(db, host.now())
        return toQueueHealth(counts, { slots, running: worker.running() })
      },
    },
    requeueDead: async (limit) => {
      const requeued = await changeDead(db, limit, toRequeued(now()))
      worker.wake()
      return requeued
    },
    sweep: async () => ({
      completedJobs: await sweepEnded({ db, host }, ['completed', 'cancelled'], 14 * dayMs),
      deadJobs: await sweepEnded({ db, host }, ['dead'], 30 * dayMs),
    }),
    start: () => worker.start(),
    wake: () => worker.wake(),
    running: () => worker.running(),
    pause: () => worker.pause(),
    resume: () => worker.resume(),
    stop: (graceMs = 5_000) => worker.stop(graceMs),
  }
}

/** A live job may have the same dedupe key by now, so the requeued job drops it. */
function toRequeued(now: string): JobChange {
  return {
    state: 'pending',
    attempts: 0,
    reason: null,
    dedupeKey: null,
    runAfter: now,
    updatedAt: now,
  }
}

const dayMs = 86_400_000
/** Small, so that concurrent writes wait only briefly. */
const sweepBatchSize = 500

async function sweepEnded(
  { db, host }: Pick<JobsNeeds, 'db' | 'host'>,
  states: readonly JobState[],
  retentionMs: number,
): Promise<number> {
  const before = addMs(host.now(), -retentionMs)
  let deletedCount = 0
  for (;;) {
    const deleted = await deleteEnded(db, states, { before, limit: sweepBatchSize })
    deletedCount += deleted
    if (deleted < sweepBatchSize) return deletedCount
  }
}
