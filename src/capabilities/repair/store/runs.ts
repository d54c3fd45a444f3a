import type { Db } from '../../../kernel/db/database.ts'
import type { RepairName } from '../actions.ts'
import type { RepairRun, RunState } from '../repair-run.ts'

interface RunRow {
  readonly id: string
  readonly action: RepairName
  readonly state: RunState
  readonly actor: string
  readonly actorType: string
  readonly reason: string
  readonly requestId: string
  readonly agentId: string
  /** JSON. */
  readonly input: string
  readonly affected: number
  /** JSON. */
  readonly cursor: string | null
  readonly message: string
  /** JSON with `counts` and `details`. */
  readonly details: string
  readonly owner: string | null
  readonly leaseUntil: string | null
  readonly startedAt: string
  readonly updatedAt: string
  readonly endedAt: string | null
}

const tables = (db: Db) => db.withTables<{ repairRuns: RunRow }>()

/** A unique index refuses a second running row of an action. */
export async function insertRun(db: Db, run: RepairRun): Promise<void> {
  await tables(db).insertInto('repairRuns').values(toRow(run)).execute()
}

/** False when another daemon has taken the run. */
export async function updateOwnRun(db: Db, run: RepairRun, owner: string): Promise<boolean> {
  const { id, action, startedAt, ...changes } = toRow(run)
  const { numUpdatedRows } = await tables(db)
    .updateTable('repairRuns')
    .set(changes)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

interface TakeOver {
  readonly owner: string
  readonly leaseUntil: string
}

/** Gives a run to another daemon. False when a third one was faster. */
export async function takeRun(db: Db, run: RepairRun, takeOver: TakeOver): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('repairRuns')
    .set(takeOver)
    .where('id', '=', run.id)
    .where('state', '=', 'running')
    .where('owner', '=', run.owner)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findRunning(db: Db, action: RepairName): Promise<RepairRun | undefined> {
  const row = await tables(db)
    .selectFrom('repairRuns')
    .selectAll()
    .where('action', '=', action)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row && toRun(row)
}

export async function listRunning(db: Db): Promise<RepairRun[]> {
  const rows = await tables(db)
    .selectFrom('repairRuns')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy('startedAt')
    .execute()
  return rows.map(toRun)
}

export async function findRun(db: Db, id: string): Promise<RepairRun | undefined> {
  const row = await tables(db)
    .selectFrom('repairRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRun(row)
}

/** The last run of an action that has ended. */
export async function findLastEnded(db: Db, action: RepairName): Promise<RepairRun | undefined> {
  const row = await tables(db)
    .selectFrom('repairRuns')
    .selectAll()
    .where('action', '=', action)
    .where('state', '!=', 'running')
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toRun(row)
}

/** The times at which the newest successes ended, the newest first. */
export async function listSuccesses(
  db: Db,
  action: RepairName,
  { since, limit }: { readonly since: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('repairRuns')
    .select('endedAt')
    .where('action', '=', action)
    .where('state', '=', 'succeeded')
    .where('endedAt', '>', since)
    .orderBy('endedAt', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ endedAt }) => endedAt ?? [])
}

export interface RunPage {
  readonly action?: RepairName | undefined
  readonly state?: RunState | undefined
  /** The position of the last row of the previous page. */
  readonly after?: { readonly startedAt: string; readonly id: string } | undefined
  readonly limit: number
}

/** The newest first. */
export async function listRuns(db: Db, page: RunPage): Promise<RepairRun[]> {
  const { action, after, limit, state } = page
  let query = tables(db).selectFrom('repairRuns').selectAll()
  if (action !== undefined) query = query.where('action', '=', action)
  if (state !== undefined) query = query.where('state', '=', state)
  if (after !== undefined)
    query = query.where(({ eb, and, or }) =>
      or([
        eb('startedAt', '<', after.startedAt),
        and([eb('startedAt', '=', after.startedAt), eb('id', '<', after.id)]),
      ]),
    )
  const rows = await query.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toRun)
}

/** Deletes runs that ended before a time. */
export async function deleteEndedBefore(db: Db, before: string): Promise<void> {
  await tables(db)
    .deleteFrom('repairRuns')
    .where('endedAt', '<', before)
    .where('state', '!=', 'running')
    .execute()
}

function toRow({ actor, input, position, counts, details, ...run }: RepairRun): RunRow {
  const { name, type: actorType, reason, requestId, agentId } = actor
  return {
    ...run,
    actor: name,
    actorType,
    reason,
    requestId,
    agentId,
    input: JSON.stringify(input),
    cursor: position && JSON.stringify(position),
    details: JSON.stringify({ counts, details }),
  }
}

function toRun({ actor, actorType, reason, requestId, agentId, ...row }: RunRow): RepairRun {
  const { cursor, details, input, ...run } = row
  return {
    ...run,
    ...JSON.parse(details),
    actor: { name: actor, type: actorType, reason, requestId, agentId },
    input: JSON.parse(input),
    position: cursor === null ? null : JSON.parse(cursor),
  }
}
