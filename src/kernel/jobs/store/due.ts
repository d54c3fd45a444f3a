import type { Db } from '../../db/database.ts'
import { type Job, waitingStates } from '../job.ts'
import { tables, toJob } from './jobs.ts'

/** Returns the next due job whose kind is not in `except`. */
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

/** Returns the next time when a job is due or the lease of a job not running here expires. */
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

/**
 * Lists expired leases. Jobs that run here are excluded, because this daemon renews their leases.
 */
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

interface StaleFilter {
  readonly now: string
  /** A daemon that lives renews the lease of its job more often. */
  readonly renewedBefore: string
  readonly limit: number
}

/** Lists leases that expired or were not renewed. Jobs that run here are excluded. */
export async function listStale(
  db: Db,
  running: readonly string[],
  { now, renewedBefore, limit }: StaleFilter,
): Promise<Job[]> {
  const rows = await leased(db, running)
    .selectAll()
    .where(({ eb, or }) => or([eb('leaseUntil', '<=', now), eb('updatedAt', '<=', renewedBefore)]))
    .orderBy('updatedAt')
    .limit(limit)
    .execute()
  return rows.map(toJob)
}

function leased(db: Db, except: readonly string[]) {
  const query = tables(db).selectFrom('jobs').where('state', '=', 'leased')
  return except.length > 0 ? query.where('id', 'not in', except) : query
}

function waiting(db: Db, except: readonly string[]) {
  const query = tables(db).selectFrom('jobs').where('state', 'in', waitingStates)
  return except.length > 0 ? query.where('kind', 'not in', except) : query
}
