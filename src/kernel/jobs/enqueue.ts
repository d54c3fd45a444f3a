import type { Db } from '../db/database.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { attemptsAtMost, type Job } from './job.ts'
import { findLiveTwin, hasLive, insertJob } from './store/jobs.ts'

export interface NewJob {
  readonly kind: string
  /** Anything that JSON keeps. */
  readonly payload?: unknown
  /** 0 unless said otherwise; the higher goes first. */
  readonly priority?: number
  readonly maxAttempts?: number
  readonly runAfter?: Date
  /** Among live jobs of a kind no two share one. */
  readonly dedupeKey?: string
  readonly agentId?: string
  readonly subject?: string
}

export interface Enqueued {
  readonly id: string
  /** True when the id is that of a live job which was there before. */
  readonly deduped: boolean
}

export async function enqueue(
  { db, host }: { readonly db: Db; readonly host: Host },
  given: NewJob,
  liveAtMost: number,
): Promise<Enqueued> {
  const twin = await findTwin(db, given)
  if (twin) return twin
  if (await hasLive(db, given.kind, liveAtMost))
    throw new Refusal('too_many', 'queue_full', `Too many jobs wait: '${given.kind}'.`, {
      kind: given.kind,
      liveAtMost,
    })
  const job = newJob(host, given)
  if (await insertJob(db, job)) return { id: job.id, deduped: false }
  // Lost a race; should the winner have ended since, the second insert has nothing in its way.
  const winner = await findTwin(db, given)
  if (winner) return winner
  if (await insertJob(db, job)) return { id: job.id, deduped: false }
  throw new Error(`The job '${given.kind}' was not kept.`)
}

async function findTwin(db: Db, { kind, dedupeKey }: NewJob): Promise<Enqueued | undefined> {
  const twin = dedupeKey === undefined ? undefined : await findLiveTwin(db, kind, dedupeKey)
  return twin && { id: twin.id, deduped: true }
}

function newJob(host: Host, given: NewJob): Job {
  const now = host.now().toISOString()
  return {
    id: host.newId(),
    kind: given.kind,
    payload: given.payload ?? null,
    state: 'pending',
    priority: given.priority ?? 0,
    attempts: 0,
    maxAttempts: given.maxAttempts ?? attemptsAtMost,
    runAfter: given.runAfter?.toISOString() ?? now,
    leaseUntil: null,
    leaseOwner: null,
    reason: null,
    dedupeKey: given.dedupeKey ?? null,
    agentId: given.agentId ?? null,
    subject: given.subject ?? null,
    createdAt: now,
    updatedAt: now,
  }
}
