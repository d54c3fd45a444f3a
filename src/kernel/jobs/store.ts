import type { Db } from '../db/database.ts'
import { type Job, type JobState, liveStates, waitingStates } from './job.ts'

/** As the noun, but for what is written differently at rest. */
type JobRow = Omit<Job, 'payload'> & { readonly payload: string }
type Tables = { jobs: JobRow }
const tables = (db: Db) => db.withTables<Tables>()

/** One attempt at one job; who holds another may no longer write. */
export type Lease = Pick<Job, 'id' | 'leaseOwner' | 'attempts'>

export type JobChange = Partial<
  Pick<Job, 'state' | 'attempts' | 'reason' | 'runAfter' | 'leaseUntil' | 'leaseOwner'>
> & { readonly updatedAt: string }

/** False when a live job of this kind already has this dedupe key. */
export async function insertJob(db: Db, job: Job): Promise<boolean> {
  const rows = await tables(db)
    .insertInto('jobs')
    .values({ ...job, payload: JSON.stringify(job.payload ?? null) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length === 1
}

export async function findJob(db: Db, id: string): Promise<Job | undefined> {
  const row = await tables(db)
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toJob(row)
}

export async function findLiveTwin(db: Db, kind: string, dedupeKey: string) {
  return tables(db)
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('dedupeKey', '=', dedupeKey)
    .where('state', 'in', liveStates)
    .executeTakeFirst()
}

/** Whether at least `limit` jobs of the kind are live. */
export async function hasLive(db: Db, kind: string, limit: number): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('state', 'in', liveStates)
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The next job to run, whose kind is none of `except`. */
export async function findDue(
  db: Db,
  now: string,
  except: readonly string[],
): Promise<Job | undefined> {
  const row = await waiting(db, except)
    .selectAll()
    .where('runAfter', '<=', now)
    .orderBy('priority', 'desc')
    .orderBy('runAfter')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && toJob(row)
}

/** When the next job may run or a lease that nobody here renews runs out; undefined for neither. */
export async function findNextTime(
  db: Db,
  running: readonly string[],
  busyKinds: readonly string[],
): Promise<string | undefined> {
  const due = await waiting(db, busyKinds)
    .select(({ fn }) => fn.min('runAfter').as('at'))
    .executeTakeFirst()
  const lease = await leased(db, running)
    .select(({ fn }) => fn.min('leaseUntil').as('at'))
    .executeTakeFirst()
  return [due?.at, lease?.at].filter((at) => typeof at === 'string').sort()[0]
}

/** Leases that ran out, but of the jobs that run here: theirs are renewed, be it late. */
export async function listExpired(
  db: Db,
  running: readonly string[],
  { now, limit }: { readonly now: string; readonly limit: number },
): Promise<Job[]> {
  const rows = await leased(db, running)
    .selectAll()
    .where('leaseUntil', '<=', now)
    .limit(limit)
    .execute()
  return rows.map(toJob)
}

/** Undefined when somebody else was faster. */
export async function claimJob(
  db: Db,
  job: Job,
  lease: Pick<Job, 'leaseOwner' | 'leaseUntil' | 'updatedAt'>,
): Promise<Job | undefined> {
  const row = await tables(db)
    .updateTable('jobs')
    .set({ ...lease, state: 'leased', attempts: job.attempts + 1 })
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('state', '=', job.state)
    .returningAll()
    .executeTakeFirst()
  return row && toJob(row)
}

/** Changes a job nobody holds; false when it is no longer as it was read. */
export async function changeWaiting(db: Db, job: Job, change: JobChange): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('jobs')
    .set(change)
    .where('id', '=', job.id)
    .where('state', '=', job.state)
    .where('attempts', '=', job.attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Changes a leased job; false when the lease was lost, be it to a cancel or to another daemon. */
export async function changeLeased(db: Db, lease: Lease, change: JobChange): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('jobs')
    .set(change)
    .where('id', '=', lease.id)
    .where('state', '=', 'leased')
    .where('leaseOwner', '=', lease.leaseOwner)
    .where('attempts', '=', lease.attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Only what is live is cancelled. Gives the ids of those that were. */
export async function cancelJobs(
  db: Db,
  scope: Partial<Pick<Job, 'id' | 'agentId' | 'subject'>>,
  change: JobChange,
): Promise<string[]> {
  const rows = await tables(db)
    .updateTable('jobs')
    .set({ ...change, state: 'cancelled' })
    .where('state', 'in', liveStates)
    .where(({ and }) => and(scope))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The dead of longest ago; a live job may have taken a dedupe key over, so they give theirs up. */
export async function requeueDead(db: Db, limit: number, updatedAt: string): Promise<number> {
  const dead = tables(db)
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'dead')
    .orderBy('updatedAt')
    .limit(limit)
  const rows = await tables(db)
    .updateTable('jobs')
    .set({
      state: 'pending',
      attempts: 0,
      reason: null,
      dedupeKey: null,
      runAfter: updatedAt,
      updatedAt,
    })
    .where('id', 'in', dead)
    .where('state', '=', 'dead')
    .returning('id')
    .execute()
  return rows.length
}

/** Deletes jobs that came to this end before `before`. */
export async function deleteEnded(
  db: Db,
  states: readonly JobState[],
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const ended = tables(db)
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', states)
    .where('updatedAt', '<', before)
    .orderBy('updatedAt')
    .limit(limit)
  const rows = await tables(db)
    .deleteFrom('jobs')
    .where('id', 'in', ended)
    .returning('id')
    .execute()
  return rows.length
}

/** Which jobs are counted; all unless said otherwise. */
export interface CountFilter {
  readonly kind?: string | undefined
  readonly agentId?: string | undefined
  /** ISO. */
  readonly updatedSince?: string | undefined
}

export async function countByState(
  db: Db,
  filter: CountFilter = {},
): Promise<Readonly<Record<JobState, number>>> {
  const rows = await counted(db, filter)
    .select(({ fn }) => ['state', fn.countAll<number | bigint | string>().as('count')])
    .groupBy('state')
    .execute()
  const none = { pending: 0, leased: 0, completed: 0, failed: 0, dead: 0, cancelled: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])) }
}

function counted(db: Db, { kind, agentId, updatedSince }: CountFilter) {
  let query = tables(db).selectFrom('jobs')
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (agentId !== undefined) query = query.where('agentId', '=', agentId)
  return updatedSince === undefined ? query : query.where('updatedAt', '>=', updatedSince)
}

export async function countLeasedBefore(db: Db, createdAt: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number | bigint | string>().as('count'))
    .where('state', '=', 'leased')
    .where('createdAt', '<', createdAt)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Since when the oldest job has waited to be done, and the oldest dead one been dead. */
export async function findOldest(db: Db, filter: CountFilter = {}) {
  const oldest = async (time: 'createdAt' | 'updatedAt', states: readonly JobState[]) => {
    const row = await counted(db, filter)
      .select(({ fn }) => fn.min(time).as('at'))
      .where('state', 'in', states)
      .executeTakeFirst()
    return row?.at ?? undefined
  }
  return {
    waiting: await oldest('createdAt', waitingStates),
    dead: await oldest('updatedAt', ['dead']),
  }
}

export async function findLastReason(db: Db): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('jobs')
    .select('reason')
    .where('state', 'in', ['failed', 'dead'])
    .orderBy('updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.reason ?? undefined
}

function leased(db: Db, except: readonly string[]) {
  const query = tables(db).selectFrom('jobs').where('state', '=', 'leased')
  return except.length > 0 ? query.where('id', 'not in', except) : query
}

function waiting(db: Db, except: readonly string[]) {
  const query = tables(db).selectFrom('jobs').where('state', 'in', waitingStates)
  return except.length > 0 ? query.where('kind', 'not in', except) : query
}

function toJob(row: JobRow): Job {
  return { ...row, payload: JSON.parse(row.payload) }
}
