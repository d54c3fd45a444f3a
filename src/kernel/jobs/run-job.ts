import type { Db } from '../db/database.ts'
import { defineEvent, type Events } from '../events/events.ts'
import { isPaused } from '../gate/gate.ts'
import type { Host } from '../host/host.ts'
import type { Log } from '../log/log.ts'
import {
  addMs,
  backoffMs,
  isFinal,
  type Job,
  type JobChange,
  leaseCleared,
  toReason,
} from './job.ts'
import { defaultKind, type JobKind } from './kind.ts'
import { changeLeased } from './store/jobs.ts'

export interface RunNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly leaseMs: number
  /** Absent: no event is emitted. */
  readonly events?: Pick<Events, 'emit'> | undefined
}

/** A run of a job has ended with any outcome. */
export const jobEnded = defineEvent<{
  readonly kind: string
  readonly agentId: string | null
  readonly ms: number
}>('job.ended')

/** The daemon stops. The job returns to the queue and the attempt does not count. */
export class ShutdownError extends Error {}

/** Runs a leased job and saves its outcome. Never throws. */
export async function runJob(
  needs: RunNeeds,
  { job, kind, control }: { job: Job; kind: JobKind; control: AbortController },
): Promise<void> {
  const { events, host, log } = needs
  const startedAt = host.now().getTime()
  const over = new AbortController()
  const watching = Promise.all([
    renewLease(needs, job, { control, over: over.signal }),
    enforceDeadline(needs.host, kind, { control, over: over.signal }),
  ])
  const change = await attempt(needs, { job, kind, control })
  over.abort()
  const ms = host.now().getTime() - startedAt
  events?.emit(jobEnded, { kind: job.kind, agentId: job.agentId, ms })
  try {
    await watching
    const saved = await changeLeased(needs.db, job, change)
    report(log, job, saved ? change : undefined)
  } catch (error) {
    // The lease expires by itself; then the job is recovered and retried.
    log.error({ err: error, job: job.id, kind: job.kind }, 'job outcome not written')
  }
}

async function attempt(
  { host }: RunNeeds,
  { job, kind, control }: { job: Job; kind: JobKind; control: AbortController },
): Promise<JobChange> {
  const { signal } = control
  const { id, payload, attempts, agentId, subject } = job
  try {
    const task = { id, payload, attempt: attempts, agentId, subject, signal }
    await Promise.race([runKind(kind, task), untilAborted(signal)])
    return {
      ...leaseCleared,
      state: 'completed',
      reason: null,
      updatedAt: host.now().toISOString(),
    }
  } catch (error) {
    const updatedAt = host.now().toISOString()
    if (signal.reason instanceof ShutdownError || (kind.background && isPaused(error)))
      return { ...leaseCleared, state: 'pending', attempts: attempts - 1, updatedAt }
    const reason = toReason(error)
    if (isFinal(error) || attempts >= job.maxAttempts)
      return { ...leaseCleared, state: 'dead', reason, updatedAt }
    const runAfter = addMs(host.now(), backoffMs(attempts, host.random(), kind.firstBackoffMs))
    return { ...leaseCleared, state: 'failed', reason, runAfter, updatedAt }
  }
}

/** Turns a synchronous throw into a rejection. */
async function runKind(kind: JobKind, task: Parameters<JobKind['run']>[0]): Promise<unknown> {
  return kind.run(task)
}

function untilAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  if (signal.aborted) reject(signal.reason)
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

interface Watch {
  readonly control: AbortController
  readonly over: AbortSignal
}

async function renewLease(needs: RunNeeds, job: Job, { control, over }: Watch): Promise<void> {
  const { db, host, log, leaseMs } = needs
  while (!over.aborted) {
    await host.sleep(leaseMs / 3, over)
    if (over.aborted) return
    try {
      const now = host.now()
      const change = { leaseUntil: addMs(now, leaseMs), updatedAt: now.toISOString() }
      if (await changeLeased(db, job, change)) continue
      control.abort(new Error('The job was cancelled or its lease lost.'))
      return
    } catch (error) {
      log.warn({ err: error, job: job.id }, 'lease not renewed')
    }
  }
}

async function enforceDeadline(host: Host, kind: JobKind, { control, over }: Watch): Promise<void> {
  const { timeoutMs = defaultKind.timeoutMs } = kind
  await host.sleep(timeoutMs, over)
  if (!over.aborted) control.abort(new Error(`The job ran for more than ${timeoutMs} ms.`))
}

function report(log: Log, { id, kind, attempts }: Job, change: JobChange | undefined): void {
  const about = { job: id, kind, attempts, reason: change?.reason }
  if (!change) log.info(about, 'job was no longer ours')
  else if (change.state === 'dead') log.error(about, 'job is dead')
  else if (change.state === 'failed') log.warn(about, 'job failed')
  else log.debug(about, `job ${change.state}`)
}
