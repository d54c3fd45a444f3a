import type { Db } from '../../../kernel/db/database.ts'
import type { ListedTask, OutputStream, Run, Task } from '../task.ts'

interface OutputRow {
  readonly runId: string
  readonly stream: OutputStream
  readonly text: string
  readonly truncated: 0 | 1
}

type Tables = {
  scheduledTasks: Task
  taskRuns: Run
  taskRunOutputs: OutputRow
}

export const tables = (db: Db) => db.withTables<Tables>()

export const liveStatuses = ['pending', 'running'] as const

export async function insertTask(db: Db, task: Task): Promise<void> {
  await tables(db).insertInto('scheduledTasks').values(task).execute()
}

export async function updateTask(db: Db, id: string, set: Partial<Task>): Promise<void> {
  await tables(db).updateTable('scheduledTasks').set(set).where('id', '=', id).execute()
}

/** Its runs are deleted with it. */
export async function deleteTask(db: Db, id: string): Promise<void> {
  await tables(db).deleteFrom('scheduledTasks').where('id', '=', id).execute()
}

/** Undefined `agentId` for the task of any agent. */
export function findTask(db: Db, id: string, agentId?: string): Promise<Task | undefined> {
  const query = tables(db).selectFrom('scheduledTasks').selectAll().where('id', '=', id)
  return (agentId === undefined ? query : query.where('agentId', '=', agentId)).executeTakeFirst()
}

interface TaskFilter {
  readonly id?: string | undefined
  /** Undefined for the tasks of all agents. */
  readonly agentId: string | undefined
  readonly limit: number
}

/** The newest first, each with the result of its newest run. */
export async function listTasks(
  db: Db,
  { agentId, id, limit }: TaskFilter,
): Promise<readonly ListedTask[]> {
  let query = tables(db)
    .selectFrom('scheduledTasks')
    .leftJoin('taskRuns', (join) =>
      join.on(({ eb, ref, selectFrom }) =>
        eb(
          'taskRuns.id',
          '=',
          selectFrom('taskRuns as newest')
            .select('newest.id')
            .where('newest.taskId', '=', ref('scheduledTasks.id'))
            .orderBy('newest.startedAt', 'desc')
            .orderBy('newest.id', 'desc')
            .limit(1),
        ),
      ),
    )
    .selectAll('scheduledTasks')
    .select(['taskRuns.status as lastRunStatus', 'taskRuns.exitCode as lastRunExitCode'])
    .orderBy('scheduledTasks.createdAt', 'desc')
    .orderBy('scheduledTasks.id', 'desc')
    .limit(limit)
  if (agentId !== undefined) query = query.where('scheduledTasks.agentId', '=', agentId)
  if (id !== undefined) query = query.where('scheduledTasks.id', '=', id)
  return await query.execute()
}

export async function countTasks(db: Db): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('scheduledTasks')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Enabled tasks that are due and not running, the longest due first. */
export function listDue(db: Db, now: string, limit: number): Promise<Task[]> {
  return tables(db)
    .selectFrom('scheduledTasks')
    .selectAll()
    .where('enabled', '=', 1)
    .where('nextRunAt', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('taskRuns')
            .select('taskRuns.id')
            .whereRef('taskRuns.taskId', '=', 'scheduledTasks.id')
            .where('taskRuns.status', 'in', liveStatuses),
        ),
      ),
    )
    .orderBy('nextRunAt')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** False if another daemon has advanced the task. */
export async function advanceTask(
  db: Db,
  { id, nextRunAt: expectedRunAt }: Pick<Task, 'id' | 'nextRunAt'>,
  nextRunAt: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('scheduledTasks')
    .set({ nextRunAt })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where('nextRunAt', '=', expectedRunAt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Enabled tasks that have been due since before this time. */
export async function countLate(db: Db, dueBefore: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('scheduledTasks')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('enabled', '=', 1)
    .where('nextRunAt', '<=', dueBefore)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The tasks of an archived agent are retained and do not run. */
export async function disableTasks(db: Db, agentId: string): Promise<void> {
  await tables(db)
    .updateTable('scheduledTasks')
    .set({ enabled: 0, nextRunAt: null })
    .where('agentId', '=', agentId)
    .execute()
}

export async function deleteTasks(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('scheduledTasks').where('agentId', '=', agentId).execute()
}
