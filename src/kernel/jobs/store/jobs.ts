import type { Db } from '../../db/database.ts'
import { type Job, type JobChange, type JobState, liveStates } from '../job.ts'

/** The stored form of a job. */
type JobRow = Omit<Job, 'payload'> & { readonly payload: string }
type Tables = { jobs: JobRow }

export const tables = (db: Db) => db.withTables<Tables>()

export function toJob(row: JobRow): Job {
  return { ...row, payload: JSON.parse(row.payload) }
}

/** Identifies one attempt of one job. The owner of another attempt may not write. */
type Lease = Pick<Job, 'id' | 'leaseOwner' | 'attempts'>

/** Returns false when a live job of this kind has the same dedupe key. */
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

export async function findLiveDuplicate(db: Db, kind: string, dedupeKey: string) {
  return tables(db)
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('dedupeKey', '=', dedupeKey)
    .where('state', 'in', liveStates)
    .executeTakeFirst()
}

/** Returns true when at least `limit` jobs of the kind are live. */
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

/** Updates a job without a lease and returns it; undefined after a concurrent change. */
export async function changeWaiting(
  db: Db,
  { id, state, attempts }: Job,
  change: JobChange,
): Promise<Job | undefined> {
  const row = await tables(db)
    .updateTable('jobs')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', state)
    .where('attempts', '=', attempts)
    .returningAll()
    .executeTakeFirst()
  return row && toJob(row)
}

/**
 * Changes a leased job. Returns false when the lease was lost by cancellation or to another daemon.
 */
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

/** Changes the live jobs that match every field of the scope. Returns their ids. */
export async function changeLive(
  db: Db,
  scope: Partial<Pick<Job, 'id' | 'agentId' | 'subject'>>,
  change: JobChange,
): Promise<string[]> {
  const rows = await tables(db)
    .updateTable('jobs')
    .set(change)
    .where('state', 'in', liveStates)
    .where(({ and }) => and(scope))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Changes the oldest dead jobs. Returns their number. */
export async function changeDead(db: Db, limit: number, change: JobChange): Promise<number> {
  const dead = tables(db)
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'dead')
    .orderBy('updatedAt')
    .limit(limit)
  const rows = await tables(db)
    .updateTable('jobs')
    .set(change)
    .where('id', 'in', dead)
    .where('state', '=', 'dead')
    .returning('id')
    .execute()
  return rows.length
}

/** Deletes jobs that reached one of these states before `before`. */
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

/** Counts jobs in one of these states, or those that reached it before a time. */
export async function countEnded(
  db: Db,
  states: readonly JobState[],
  before?: string,
): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number | bigint | string>().as('count'))
    .where('state', 'in', states)
    .$if(before !== undefined, (query) => query.where('updatedAt', '<', before ?? ''))
    .executeTakeFirstOrThrow()
  return Number(count)
}
