import { transaction } from '../../kernel/db/transaction.ts'
import { nextTime } from '../../kernel/jobs/cron.ts'
import type { RunNeeds } from './needs.ts'
import { alreadyRunning, queueFull } from './refusals.ts'
import { createRunQueue, maxPending, type RunQueue } from './run-queue.ts'
import { failRuns, findLiveRun, insertRun, renewLeases, updateLiveRun } from './store/runs.ts'
import { advanceTask, listDue } from './store/tasks.ts'
import type { Run, Task } from './task.ts'

const firstPollMs = 1_000
export const pollMs = 15_000
const leaseMs = 60_000
/** A run that is later than this is a catch-up. */
const lateMs = 30_000

interface SchedulerNeeds extends RunNeeds {
  readonly queue: RunQueue
}

/** Leases due tasks and runs them. Every tick runs at most once. */
export function createScheduler(options: RunNeeds) {
  const queue = createRunQueue(options)
  const needs: SchedulerNeeds = { ...options, queue }
  const stopping = new AbortController()
  const started: { loop?: Promise<void> } = {}
  return {
    poll: () => poll(needs),
    counts: queue.counts,
    /** Fails the runs of a killed daemon. On a file no other daemon can have live runs. */
    start: async (): Promise<void> => {
      await failLost(needs)
      started.loop = repeatPoll(needs, stopping.signal)
    },
    /** Refuses `task_running` and `task_queue_full`. */
    runNow: async (task: Task): Promise<Run> => {
      if (queue.counts().pending >= maxPending) throw queueFull(maxPending)
      const run = newRun(needs, task, { trigger: 'manual', scheduledFor: null })
      if (!(await insertRun(needs.db, run))) throw alreadyRunning()
      queue.submit(task, run)
      return run
    },
    /** Ends the live run of a task, with its process group. False without one. */
    cancel: (taskId: string) => cancel(needs, taskId),
    /** Ends all runs. */
    stop: async (): Promise<void> => {
      stopping.abort()
      await started.loop
      for (const run of await queue.stop('daemon_restart'))
        await endRun(needs, run, 'daemon_restart')
    },
  }
}

async function repeatPoll(needs: SchedulerNeeds, signal: AbortSignal): Promise<void> {
  for (let ms = firstPollMs; !signal.aborted; ms = pollMs) {
    await needs.host.sleep(ms, signal)
    if (signal.aborted) return
    await poll(needs).catch((err: unknown) =>
      needs.log.error({ err }, 'poll of scheduled tasks failed'),
    )
  }
}

async function poll(needs: SchedulerNeeds): Promise<void> {
  await renew(needs)
  if (!needs.exclusive) await failLost(needs)
  const room = maxPending - needs.queue.counts().pending
  if (room <= 0) return
  for (const task of await listDue(needs.db, toTime(needs), room)) await lease(needs, task)
}

/** Runs that were cancelled or failed elsewhere, or whose task was deleted, are ended. */
async function renew(needs: SchedulerNeeds): Promise<void> {
  const { daemonId, db, queue } = needs
  const own = queue.list()
  if (own.length === 0) return
  const live = new Set(await renewLeases(db, daemonId, toTime(needs, leaseMs)))
  for (const { id } of own) if (!live.has(id)) queue.abort(id, 'cancelled')
}

/** On a server, only runs whose lease has ended. */
function failLost(needs: SchedulerNeeds): Promise<number> {
  const now = toTime(needs)
  const failure = { error: 'daemon_restart', now }
  return failRuns(needs.db, needs.exclusive ? failure : { ...failure, leaseEndedBy: now })
}

/** One transaction: the task advances and its run exists, or another daemon has them. */
async function lease(needs: SchedulerNeeds, task: Task): Promise<void> {
  const { config, db, host, queue } = needs
  const { cronExpression, nextRunAt } = task
  const isLate = host.now().getTime() - Date.parse(nextRunAt ?? '') > lateMs
  const next = nextTime(cronExpression, host.now())?.toISOString() ?? null
  const trigger = isLate ? 'catch-up' : 'schedule'
  const run = newRun(needs, task, { trigger, scheduledFor: nextRunAt })
  const isLeased = await transaction(db, async (own) => {
    if (!(await advanceTask(own, task, next))) return false
    return !(isLate && config().catchUp === 'skip') && insertRun(own, run)
  })
  if (isLeased) queue.submit(task, run)
}

async function cancel(needs: SchedulerNeeds, taskId: string): Promise<boolean> {
  const { db, queue } = needs
  if (await queue.cancel(taskId)) return true
  const live = await findLiveRun(db, taskId)
  // A run of another daemon ends at its next renewal.
  return live !== undefined && endRun(needs, live, 'cancelled')
}

function endRun(needs: SchedulerNeeds, run: Run, error: string): Promise<boolean> {
  const completedAt = toTime(needs)
  return updateLiveRun(needs.db, run, { status: 'failed', error, completedAt, leaseUntil: null })
}

function newRun(
  needs: SchedulerNeeds,
  task: Task,
  fields: Pick<Run, 'trigger' | 'scheduledFor'>,
): Run {
  return {
    ...fields,
    id: needs.host.newId(),
    taskId: task.id,
    status: needs.queue.hasRoom() ? 'running' : 'pending',
    startedAt: toTime(needs),
    completedAt: null,
    exitCode: null,
    error: null,
    daemonId: needs.daemonId,
    leaseUntil: toTime(needs, leaseMs),
  }
}

function toTime({ host }: Pick<RunNeeds, 'host'>, afterMs = 0): string {
  return new Date(host.now().getTime() + afterMs).toISOString()
}
