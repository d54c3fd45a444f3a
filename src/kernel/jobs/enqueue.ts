import type { Db } from '../db/database.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { defaultMaxAttempts, type Job } from './job.ts'
import { findLiveDuplicate, hasLive, insertJob } from './store/jobs.ts'

export interface NewJob {
  readonly kind: string
  /** Any JSON value. */
  readonly payload?: unknown
  /** Default 0. Jobs with a higher value run first. */
  readonly priority?: number
  readonly maxAttempts?: number
  readonly runAfter?: Date
  /** Unique among the live jobs of a kind. */
  readonly dedupeKey?: string
  readonly agentId?: string
  readonly subject?: string
}

export interface Enqueued {
  readonly id: string
  /** True when the id belongs to a live job that existed before. */
  readonly deduped: boolean
}

export async function enqueue(
  { db, host }: { readonly db: Db; readonly host: Host },
  input: NewJob,
  maxPending: number,
): Promise<Enqueued> {
  const duplicate = await findPendingDuplicate(db, input)
  if (duplicate) return duplicate
  if (await hasLive(db, input.kind, maxPending))
    throw new Refusal('too_many', 'queue_full', `Too many jobs wait: '${input.kind}'.`, {
      kind: input.kind,
      maxPending,
    })
  const job = newJob(host, input)
  if (await insertJob(db, job)) return { id: job.id, deduped: false }
  // Another writer won the race. If its job has ended since, the second insert succeeds.
  const winner = await findPendingDuplicate(db, input)
  if (winner) return winner
  if (await insertJob(db, job)) return { id: job.id, deduped: false }
  throw new Error(`The job '${input.kind}' was not stored.`)
}

async function findPendingDuplicate(
  db: Db,
  { kind, dedupeKey }: NewJob,
): Promise<Enqueued | undefined> {
  const duplicate =
    dedupeKey === undefined ? undefined : await findLiveDuplicate(db, kind, dedupeKey)
  return duplicate && { id: duplicate.id, deduped: true }
}

function newJob(host: Host, input: NewJob): Job {
  const now = host.now().toISOString()
  return {
    id: host.newId(),
    kind: input.kind,
    payload: input.payload ?? null,
    state: 'pending',
    priority: input.priority ?? 0,
    attempts: 0,
    maxAttempts: input.maxAttempts ?? defaultMaxAttempts,
    runAfter: input.runAfter?.toISOString() ?? now,
    leaseUntil: null,
    leaseOwner: null,
    reason: null,
    dedupeKey: input.dedupeKey ?? null,
    agentId: input.agentId ?? null,
    subject: input.subject ?? null,
    createdAt: now,
    updatedAt: now,
  }
}
