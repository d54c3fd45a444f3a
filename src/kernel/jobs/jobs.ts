import type { Db } from '../db/database.ts'
import { afterCommit } from '../db/transaction.ts'
import type { Events } from '../events/events.ts'
import type { Gate } from '../gate/gate.ts'
import type { HealthCheck } from '../health/health.ts'
import type { Host } from '../host/host.ts'
import type { Log } from '../log/log.ts'
import { type Counts, type KindCounts, readCounts, readKindCounts } from './counts.ts'
import { type Enqueued, enqueue, type NewJob } from './enqueue.ts'
import { toQueueHealth } from './health.ts'
import { addMs, type Job, type JobChange, type JobState, leaseCleared } from './job.ts'
import { defaultKind, type JobKind } from './kind.ts'
import { listStale } from './store/due.ts'
import {
  changeDead,
  changeLeased,
  changeLive,
  countEnded,
  deleteEnded,
  findJob,
} from './store/jobs.ts'
import { Worker } from './worker.ts'

export interface JobsNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  /** Receives the end of each run. */
  readonly events?: Pick<Events, 'emit'>
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
  /** Requeues dead jobs, the oldest first. Joins the transaction of the caller. Returns their number. */
  requeueDead(db: Db, limit: number): Promise<number>
  /** The jobs that `requeueDead` and `releaseStale` change at the moment. */
  countRepairable(timeoutMs: number): Promise<{ readonly dead: number; readonly stale: number }>
  /**
   * Releases jobs whose lease expired or was not renewed for this time. Those with attempts left run
   * again; the others are dead. Joins the transaction of the caller. Returns their number.
   */
  releaseStale(db: Db, timeoutMs: number): Promise<number>
  /**
   * Deletes at most 500 jobs that completed or were cancelled 14 days ago, and 500 that died 30 days
   * ago. Joins the transaction of the caller.
   */
  sweep(db: Db): Promise<SweepResult>
  /** The jobs that `sweep` deletes at the moment. */
  countSweepable(db: Db): Promise<SweepResult>
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
  /** Whether more jobs may be due. */
  readonly hasMore: boolean
}

export function createJobs(needs: JobsNeeds): Jobs {
  const { db, host, slots = 4, leaseMs = 60_000, exclusive: alone = false, gate } = needs
  const kinds = new Map<string, JobKind>()
  const isGateOpen = () => gate?.isOpen() ?? true
  const limits = { slots, leaseMs, alone, isGateOpen }
  const worker = new Worker({ ...needs, kinds, owner: host.newId(), ...limits })
  gate?.onOpen(() => worker.wake())
  const now = () => host.now().toISOString()
  const staleSince = (timeoutMs: number) => ({
    now: now(),
    renewedBefore: addMs(host.now(), -timeoutMs),
    limit: sweepBatchSize,
  })
  return {
    handle: (kind) => {
      if (kinds.has(kind.kind)) throw new Error(`Two handlers for the jobs '${kind.kind}'.`)
      kinds.set(kind.kind, kind)
    },
    enqueue: async (db, job) => {
      const { maxPending = defaultKind.maxPending } = kinds.get(job.kind) ?? {}
      const result = await enqueue({ db, host }, job, maxPending)
      afterCommit(db, () => worker.wake())
      return result
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
    requeueDead: async (db, limit) => {
      const requeued = await changeDead(db, limit, toRequeued(now()))
      afterCommit(db, () => worker.wake())
      return requeued
    },
    countRepairable: async (timeoutMs) => ({
      dead: await countEnded(db, ['dead']),
      stale: (await listStale(db, worker.runningIds(), staleSince(timeoutMs))).length,
    }),
    releaseStale: async (db, timeoutMs) => {
      let count = 0
      for (const job of await listStale(db, worker.runningIds(), staleSince(timeoutMs)))
        if (await changeLeased(db, job, toReleased(job, now()))) count += 1
      afterCommit(db, () => worker.wake())
      return count
    },
    sweep: async (db) => {
      const deleteOld = ([states, days]: Retention) =>
        deleteEnded(db, states, { before: addMs(host.now(), -days * dayMs), limit: sweepBatchSize })
      const completedJobs = await deleteOld(retention.completed)
      const deadJobs = await deleteOld(retention.dead)
      const hasMore = completedJobs === sweepBatchSize || deadJobs === sweepBatchSize
      return { completedJobs, deadJobs, hasMore }
    },
    countSweepable: (db) => countSweepable(db, host.now()),
    start: () => worker.start(),
    wake: () => worker.wake(),
    running: () => worker.running(),
    pause: () => worker.pause(),
    resume: () => worker.resume(),
    stop: (graceMs = 5_000) => worker.stop(graceMs),
  }
}

async function countSweepable(db: Db, now: Date): Promise<SweepResult> {
  const count = ([states, days]: Retention) => countEnded(db, states, addMs(now, -days * dayMs))
  const completedJobs = await count(retention.completed)
  return { completedJobs, deadJobs: await count(retention.dead), hasMore: false }
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

function toReleased({ attempts, maxAttempts }: Job, now: string): JobChange {
  const state = attempts < maxAttempts ? ('pending' as const) : ('dead' as const)
  return { ...leaseCleared, state, reason: 'lease_released', runAfter: now, updatedAt: now }
}

const dayMs = 86_400_000
/** Days after which ended jobs are deleted. */
type Retention = readonly [states: readonly JobState[], days: number]
const retention = {
  completed: [['completed', 'cancelled'], 14],
  dead: [['dead'], 30],
} as const satisfies Readonly<Record<string, Retention>>
/** Small, so that concurrent writes wait only briefly. */
const sweepBatchSize = 500
