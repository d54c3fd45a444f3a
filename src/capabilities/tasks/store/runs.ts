import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { OutputStream, Run, RunWithOutput, StoredOutput } from '../task.ts'
import { liveStatuses, tables } from './tasks.ts'

/** False if the task has a live run, or a run of the same time. */
export async function insertRun(db: Db, run: Run): Promise<boolean> {
  const row = await tables(db)
    .insertInto('taskRuns')
    .values(run)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** False for a run that another daemon has failed, or that was cancelled. */
export async function updateLiveRun(
  db: Db,
  { id, daemonId }: Pick<Run, 'id' | 'daemonId'>,
  set: Partial<Run>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('taskRuns')
    .set(set)
    .where('id', '=', id)
    .where('daemonId', '=', daemonId)
    .where('status', 'in', liveStatuses)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Extends the leases of a daemon. Returns the runs that are still its own. */
export async function renewLeases(
  db: Db,
  daemonId: string,
  leaseUntil: string,
): Promise<readonly string[]> {
  const rows = await tables(db)
    .updateTable('taskRuns')
    .set({ leaseUntil })
    .where('daemonId', '=', daemonId)
    .where('status', 'in', liveStatuses)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

interface Failure {
  readonly error: string
  readonly now: string
  /** Runs whose lease ended at or before this time; undefined for all live runs. */
  readonly leaseEndedBy?: string
  readonly taskId?: string
}

/** Fails live runs and returns their count. */
export async function failRuns(
  db: Db,
  { error, leaseEndedBy, now, taskId }: Failure,
): Promise<number> {
  let query = tables(db)
    .updateTable('taskRuns')
    .set({ status: 'failed', error, completedAt: now, leaseUntil: null })
    .where('status', 'in', liveStatuses)
  if (leaseEndedBy !== undefined) query = query.where('leaseUntil', '<=', leaseEndedBy)
  if (taskId !== undefined) query = query.where('taskId', '=', taskId)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return Number(numUpdatedRows)
}

export function findLiveRun(db: Db, taskId: string): Promise<Run | undefined> {
  return tables(db)
    .selectFrom('taskRuns')
    .selectAll()
    .where('taskId', '=', taskId)
    .where('status', 'in', liveStatuses)
    .executeTakeFirst()
}

/** The run that started last. */
export function findNewestRun(db: Db, taskId: string): Promise<Run | undefined> {
  return tables(db)
    .selectFrom('taskRuns')
    .selectAll()
    .where('taskId', '=', taskId)
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function countRuns(
  db: Db,
  filter: Partial<Pick<Run, 'taskId' | 'status'>>,
): Promise<number> {
  let query = tables(db)
    .selectFrom('taskRuns')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
  if (filter.taskId !== undefined) query = query.where('taskId', '=', filter.taskId)
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  return Number((await query.executeTakeFirstOrThrow()).count)
}

export interface EndedRun extends Pick<Run, 'id' | 'status' | 'error'> {
  readonly completedAt: string
  readonly name: string
}

/** The runs of the tasks of an agent that ended after a time, the newest first. */
export async function listEndedRuns(
  db: Db,
  {
    after,
    agentId,
    limit,
  }: { readonly after: string; readonly agentId: string; readonly limit: number },
): Promise<readonly EndedRun[]> {
  const rows = await tables(db)
    .selectFrom('taskRuns')
    .innerJoin('scheduledTasks', 'scheduledTasks.id', 'taskRuns.taskId')
    .select(['taskRuns.id', 'status', 'error', 'completedAt', 'name'])
    .where('scheduledTasks.agentId', '=', agentId)
    .where('completedAt', '>', after)
    .orderBy('completedAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ completedAt, ...row }) => ({ ...row, completedAt: completedAt ?? '' }))
}

/** Tasks whose newest run has failed. */
export async function countFailing(db: Db): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('taskRuns')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('status', '=', 'failed')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('taskRuns as later')
            .select('later.id')
            .whereRef('later.taskId', '=', 'taskRuns.taskId')
            .whereRef('later.startedAt', '>', 'taskRuns.startedAt'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface RunPage {
  readonly taskId: string
  readonly limit: number
  readonly offset: number
  /** Characters at the end of each output. */
  readonly maxOutput: number
}

/** The newest first, each with the end of its output. */
export async function listRuns(
  db: Db,
  { limit, maxOutput, offset, taskId }: RunPage,
): Promise<readonly RunWithOutput[]> {
  const runs = await tables(db)
    .selectFrom('taskRuns')
    .selectAll()
    .where('taskId', '=', taskId)
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return withOutputs(db, runs, maxOutput)
}

export async function findRun(
  db: Db,
  { taskId, id }: Pick<Run, 'taskId' | 'id'>,
  maxOutput: number,
): Promise<RunWithOutput | undefined> {
  const runs = await tables(db)
    .selectFrom('taskRuns')
    .selectAll()
    .where('taskId', '=', taskId)
    .where('id', '=', id)
    .execute()
  return (await withOutputs(db, runs, maxOutput))[0]
}

async function withOutputs(db: Db, runs: readonly Run[], maxOutput: number) {
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const rows = await tables(db)
    .selectFrom('taskRunOutputs')
    .select(['runId', 'stream', 'truncated'])
    .select([tailOf(maxOutput).as('text'), sql<number>`length(text)`.as('length')])
    .where('runId', 'in', ids)
    .execute()
  const find = (runId: string, stream: OutputStream): StoredOutput | null => {
    const row = rows.find((each) => each.runId === runId && each.stream === stream)
    if (!row) return null
    return { text: row.text, truncated: row.truncated === 1 || Number(row.length) > maxOutput }
  }
  return runs.map((run) => ({
    ...run,
    stdout: find(run.id, 'stdout'),
    stderr: find(run.id, 'stderr'),
  }))
}

/** The last characters of an output, in the form that both engines accept. */
function tailOf(characters: number) {
  const first = sql<number>`length(text) - ${sql.lit(characters - 1)}`
  return sql<string>`case when length(text) > ${sql.lit(characters)} then substr(text, ${first}) else text end`
}

export async function insertOutput(
  db: Db,
  {
    runId,
    stream,
    text,
    truncated,
  }: StoredOutput & { readonly runId: string; readonly stream: OutputStream },
): Promise<void> {
  await tables(db)
    .insertInto('taskRunOutputs')
    .values({ runId, stream, text, truncated: truncated ? 1 : 0 })
    .execute()
}

interface Retention {
  readonly taskId: string
  readonly maxRuns: number
  /** Runs whose output stays whole; of older ones the end stays. */
  readonly maxWholeRuns: number
  readonly maxOutput: number
}

/** Deletes and shortens old runs of a task. */
export async function pruneRuns(db: Db, retention: Retention): Promise<void> {
  const { maxOutput, maxRuns, maxWholeRuns, taskId } = retention
  const older = (offset: number) =>
    tables(db)
      .selectFrom('taskRuns')
      .select('id')
      .where('taskId', '=', taskId)
      .orderBy('startedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(maxRuns)
      .offset(offset)
  await tables(db).deleteFrom('taskRuns').where('id', 'in', older(maxRuns)).execute()
  await tables(db)
    .updateTable('taskRunOutputs')
    .set({ text: tailOf(maxOutput), truncated: 1 })
    .where('runId', 'in', older(maxWholeRuns))
    .where(sql<number>`length(text)`, '>', maxOutput)
    .execute()
}

export async function deleteRunsBefore(db: Db, time: string): Promise<void> {
  await tables(db)
    .deleteFrom('taskRuns')
    .where('startedAt', '<', time)
    .where('status', 'not in', liveStatuses)
    .execute()
}
