import { addMs, type Job, type JobChange, leaseCleared } from './job.ts'
import { defaultKind, type JobKind } from './kind.ts'
import { type RunNeeds, runJob, ShutdownError } from './run-job.ts'
import { findDue, findNextTime, listExpired } from './store/due.ts'
import { changeLeased, changeWaiting } from './store/jobs.ts'

export interface WorkerNeeds extends RunNeeds {
  /** Identifies the leases of this daemon. */
  readonly owner: string
  readonly kinds: ReadonlyMap<string, JobKind>
  /** Background kinds are leased only while this is true. */
  isGateOpen(): boolean
  /** Maximum concurrent jobs. */
  readonly slots: number
  /** Whether no other daemon works on this database. */
  readonly alone: boolean
}

interface Run {
  readonly job: Job
  readonly control: AbortController
  readonly ended: Promise<void>
}

/** Daemons on the same database enqueue without waking this one, so the worker polls. */
const maxIdleMs = 15_000
const expiredBatchSize = 100
/** The maximum lease TTL. */
const maxLeaseMs = 86_400_000

/** Takes due jobs and runs them concurrently in its slots until it is stopped. */
export class Worker {
  readonly #needs: WorkerNeeds
  readonly #running = new Set<Run>()
  #alarm = new AbortController()
  #loop: Promise<void> | undefined
  #stopping = false
  #paused = false
  /** True until the first recovery: a dead daemon left the leases that exist then. */
  #isOrphaned: boolean

  constructor(needs: WorkerNeeds) {
    this.#needs = needs
    this.#isOrphaned = needs.alone
  }

  start(): void {
    this.#loop ??= this.#work()
  }

  /** The number of running jobs. */
  running(): number {
    return this.#running.size
  }

  /** Starts a new round, because a job may be due. */
  wake(): void {
    this.#alarm.abort()
  }

  /** Starts no more jobs. Running jobs continue. */
  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.wake()
  }

  abort(ids: readonly string[]): void {
    for (const { job, control } of this.#running)
      if (ids.includes(job.id)) control.abort(new Error('The job was cancelled.'))
  }

  /**
   * Waits for running jobs during the grace period. Then they are aborted and return to the queue.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.wake()
    await this.#loop
    const over = new AbortController()
    const drained = this.#drained().then(() => over.abort())
    await this.#needs.host.sleep(graceMs, over.signal)
    for (const { control } of this.#running) control.abort(new ShutdownError())
    await drained
  }

  async #drained(): Promise<void> {
    await Promise.all([...this.#running].map(({ ended }) => ended))
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const alarm = new AbortController()
      this.#alarm = alarm
      const delayMs = await this.#round()
      if (!this.#stopping) await this.#needs.host.sleep(delayMs, alarm.signal)
    }
  }

  /** Returns the time until the next round. A fault ends the round, not the loop. */
  async #round(): Promise<number> {
    if (this.#paused) return maxIdleMs
    try {
      await this.#recover()
      while (!this.#stopping && (await this.#takeOne()));
      return await this.#nextDelayMs()
    } catch (error) {
      this.#needs.log.error({ err: error }, 'job round failed')
      return maxIdleMs
    }
  }

  /** Returns false without a due job or a free slot. */
  async #takeOne(): Promise<boolean> {
    const { db, host, kinds, owner, leaseMs, slots } = this.#needs
    if (this.#paused || this.#running.size >= slots) return false
    const now = host.now()
    const job = await findDue(db, now.toISOString(), this.#busyKinds())
    if (!job) return false
    const updatedAt = now.toISOString()
    const kind = kinds.get(job.kind)
    if (!kind) {
      await changeWaiting(db, job, { state: 'dead', reason: 'unknown_kind', updatedAt })
      return true
    }
    const leasedJob = await changeWaiting(db, job, {
      state: 'leased',
      attempts: job.attempts + 1,
      updatedAt,
      leaseOwner: owner,
      leaseUntil: addMs(now, leaseMs),
    })
    if (leasedJob) this.#run(leasedJob, kind)
    return true
  }

  #run(job: Job, kind: JobKind): void {
    const control = new AbortController()
    const ended = runJob(this.#needs, { job, kind, control })
    const run = { job, control, ended }
    this.#running.add(run)
    void ended.then(() => {
      this.#running.delete(run)
      this.wake()
    })
  }

  runningIds(): string[] {
    return [...this.#running].map(({ job }) => job.id)
  }

  #busyKinds(): string[] {
    const runs = Map.groupBy(this.#running, ({ job }) => job.kind)
    const full = [...runs].filter(([kind, { length }]) => {
      const { concurrency = defaultKind.concurrency } = this.#needs.kinds.get(kind) ?? {}
      return length >= concurrency
    })
    return [...full.map(([kind]) => kind), ...this.#pausedKinds()]
  }

  #pausedKinds(): string[] {
    const { isGateOpen, kinds } = this.#needs
    if (isGateOpen()) return []
    return [...kinds.values()].filter(({ background }) => background).map(({ kind }) => kind)
  }

  /** A lease expires when its daemon died or when an outcome could not be written. */
  async #recover(): Promise<void> {
    const { db, host, log } = this.#needs
    const now = host.now().toISOString()
    const by = this.#isOrphaned ? addMs(host.now(), maxLeaseMs) : now
    const expired = await listExpired(db, this.runningIds(), { now: by, limit: expiredBatchSize })
    this.#isOrphaned &&= expired.length === expiredBatchSize
    for (const job of expired) {
      const change: JobChange = {
        state: job.attempts >= job.maxAttempts ? 'dead' : 'failed',
        reason: 'lease_expired',
        runAfter: now,
        ...leaseCleared,
        updatedAt: now,
      }
      if (await changeLeased(db, job, change))
        log.warn({ job: job.id, kind: job.kind, state: change.state }, 'job lease expired')
    }
  }

  /** A finished job wakes the worker, so a full worker does not query the next time. */
  async #nextDelayMs(): Promise<number> {
    const { db, host, slots } = this.#needs
    if (this.#running.size >= slots) return maxIdleMs
    const next = await findNextTime(db, this.runningIds(), this.#busyKinds())
    if (!next) return maxIdleMs
    const untilNextMs = Date.parse(next) - host.now().getTime()
    return Math.min(maxIdleMs, Math.max(0, untilNextMs))
  }
}
