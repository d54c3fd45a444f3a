import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { nextTime } from '../../kernel/jobs/cron.ts'
import { maxListedOutput } from './execute-run.ts'
import type { TasksNeeds } from './needs.ts'
import { invalidCron, runNotFound, taskNotFound, tooManyTasks } from './refusals.ts'
import { findProblem } from './runners/run-prompt.ts'
import type { createBody, runsQuery, updateBody } from './schemas.ts'
import { countRuns, findRun, listRuns } from './store/runs.ts'
import * as store from './store/tasks.ts'
import { presets, type RunWithOutput, type Task } from './task.ts'

const maxTasks = 2_000
const maxShownRuns = 20
const maxStoredOutput = 1_048_576

/** A token with an agent sees and changes the tasks of this agent alone. */
export async function readTask(
  { db }: Pick<TasksNeeds, 'db'>,
  { scope }: Pick<Caller, 'scope'>,
  id: string,
): Promise<Task> {
  const task = await store.findTask(db, id, scope.agent)
  if (!task) throw taskNotFound()
  return task
}

export async function listTasks({ db }: TasksNeeds, { scope }: Caller) {
  const tasks = await store.listTasks(db, { agentId: scope.agent, limit: maxTasks })
  return { tasks, presets: [...presets] }
}

export async function readTaskWithRuns(needs: TasksNeeds, caller: Caller, id: string) {
  const { scope } = caller
  const [task] = await store.listTasks(needs.db, { id, agentId: scope.agent, limit: 1 })
  if (!task) throw taskNotFound()
  const page = { taskId: id, limit: maxShownRuns, offset: 0, maxOutput: maxListedOutput }
  return { task, runs: await listRuns(needs.db, page) }
}

/** Refuses `invalid_cron`. A harness that cannot run now yields a warning. */
export async function createTask(
  needs: TasksNeeds,
  { agentId }: Caller,
  { enabled, ...fields }: z.output<typeof createBody>,
) {
  const { db, host } = needs
  const due = readNextTime(needs, fields.cronExpression)
  if ((await store.countTasks(db)) >= maxTasks) throw tooManyTasks(maxTasks)
  const now = host.now().toISOString()
  const task: Task = {
    ...fields,
    id: host.newId(),
    agentId,
    enabled: enabled ? 1 : 0,
    nextRunAt: enabled ? due : null,
    lastRunAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await store.insertTask(db, task)
  const problem = await findProblem(needs, task)
  const { id, nextRunAt } = task
  return {
    id,
    nextRunAt,
    ...(problem !== undefined && { warning: `The task cannot run: ${problem}.` }),
  }
}

/** Absent fields do not change. */
export async function updateTask(
  needs: TasksNeeds,
  caller: Caller,
  id: string,
  { enabled, ...fields }: z.output<typeof updateBody>,
) {
  const task = await readTask(needs, caller, id)
  const isEnabled = enabled ?? task.enabled === 1
  const expression = fields.cronExpression ?? task.cronExpression
  const isChanged = expression !== task.cronExpression || (isEnabled && task.enabled === 0)
  const due = isChanged ? readNextTime(needs, expression) : task.nextRunAt
  await store.updateTask(needs.db, id, {
    ...fields,
    enabled: isEnabled ? 1 : 0,
    nextRunAt: isEnabled ? due : null,
    updatedAt: needs.host.now().toISOString(),
  })
  return { success: true as const }
}

function readNextTime({ host }: Pick<TasksNeeds, 'host'>, expression: string): string {
  const next = nextTime(expression, host.now())
  if (!next) throw invalidCron()
  return next.toISOString()
}

/** Ends a live run first. */
export async function deleteTask(needs: TasksNeeds, caller: Caller, id: string) {
  await readTask(needs, caller, id)
  await needs.scheduler.cancel(id)
  await store.deleteTask(needs.db, id)
  needs.live.deleted(id)
  return { success: true as const }
}

export async function runTask(needs: TasksNeeds, caller: Caller, id: string) {
  const task = await readTask(needs, caller, id)
  const { id: runId, status } = await needs.scheduler.runNow(task)
  return { runId, status: status === 'pending' ? ('pending' as const) : ('running' as const) }
}

export async function cancelTask(needs: TasksNeeds, caller: Caller, id: string) {
  await readTask(needs, caller, id)
  return { cancelled: await needs.scheduler.cancel(id) }
}

export async function listTaskRuns(
  needs: TasksNeeds,
  caller: Caller,
  taskId: string,
  { limit, offset }: z.output<typeof runsQuery>,
) {
  await readTask(needs, caller, taskId)
  const page = { taskId, limit, offset, maxOutput: maxListedOutput }
  const [runs, total] = await Promise.all([
    listRuns(needs.db, page),
    countRuns(needs.db, { taskId }),
  ])
  return { runs, total, hasMore: offset + runs.length < total }
}

/** The output of a run that is active on this daemon is what it has written so far. */
export async function readRun(
  needs: TasksNeeds,
  caller: Caller,
  { id: taskId, runId }: { readonly id: string; readonly runId: string },
): Promise<RunWithOutput> {
  await readTask(needs, caller, taskId)
  const run = await findRun(needs.db, { taskId, id: runId }, maxStoredOutput)
  if (!run) throw runNotFound()
  const active = needs.live.findOutput(runId)
  if (!active) return run
  const [stdout, stderr] = [active.stdout, active.stderr].map((text) => ({
    text,
    truncated: false,
  }))
  return { ...run, stdout: stdout ?? null, stderr: stderr ?? null }
}
