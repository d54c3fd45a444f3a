import type { Db } from '../../db/database.ts'
import { type JobState, waitingStates } from '../job.ts'
import { tables } from './jobs.ts'

/** Selects the jobs to count. Default: all jobs. */
export interface CountFilter {
  readonly kind?: string | undefined
  readonly agentId?: string | undefined
  /** ISO time. */
  readonly updatedSince?: string | undefined
}

export async function countByState(
  db: Db,
  filter: CountFilter = {},
): Promise<Readonly<Record<JobState, number>>> {
  const rows = await selectJobs(db, filter)
    .select(({ fn }) => ['state', fn.countAll<number | bigint | string>().as('count')])
    .groupBy('state')
    .execute()
  const none = { pending: 0, leased: 0, completed: 0, failed: 0, dead: 0, cancelled: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])) }
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

/**
 * Returns the creation time of the oldest waiting job and the time when the oldest dead job died.
 */
export async function findOldest(db: Db, filter: CountFilter = {}) {
  const oldest = async (time: 'createdAt' | 'updatedAt', states: readonly JobState[]) => {
    const row = await selectJobs(db, filter)
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

function selectJobs(db: Db, { kind, agentId, updatedSince }: CountFilter) {
  let query = tables(db).selectFrom('jobs')
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (agentId !== undefined) query = query.where('agentId', '=', agentId)
  return updatedSince === undefined ? query : query.where('updatedAt', '>=', updatedSince)
}
