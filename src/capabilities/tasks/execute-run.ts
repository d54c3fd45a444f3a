import { transaction } from '../../kernel/db/transaction.ts'
import { taskRunCompleted, taskRunStarted } from './events.ts'
import type { RunNeeds } from './needs.ts'
import { createOutput } from './output.ts'
import { type PromptResult, runPrompt } from './runners/run-prompt.ts'
import { insertOutput, pruneRuns, updateLiveRun } from './store/runs.ts'
import { updateTask } from './store/tasks.ts'
import type { OutputStream, Run, StoredOutput, Task } from './task.ts'

/** Characters at the end of each output that lists return. */
export const maxListedOutput = 8_192
const retention = { maxRuns: 200, maxWholeRuns: 20, maxOutput: maxListedOutput }

/** Runs a leased task to its end and stores the result. */
export async function executeRun(
  needs: RunNeeds,
  task: Task,
  leased: Run,
  signal: AbortSignal,
): Promise<void> {
  const { db, events, host, live } = needs
  const run = { ...leased, status: 'running' as const, startedAt: host.now().toISOString() }
  const { status, startedAt } = run
  if (!(await updateLiveRun(db, run, { status, startedAt }))) return
  live.started(run)
  events.emit(taskRunStarted, toEvent(task, run))
  const output = createOutput((stream, chunk) => live.output(run, stream, chunk))
  const result = await runSafely(needs, task, signal, output.add)
  const stored = output.finish()
  const ended = toEnded(run, result, host.now())
  const isOwn = await save(needs, ended, stored)
  const final = isOwn ? ended : { ...ended, status: 'failed' as const, error: 'cancelled' }
  live.completed(final)
  events.emit(taskRunCompleted, toEvent(task, final))
}

/** A fault fails the run and not the scheduler. */
async function runSafely(
  needs: RunNeeds,
  task: Task,
  signal: AbortSignal,
  onOutput: (stream: OutputStream, text: string) => void,
): Promise<PromptResult> {
  try {
    const result = await runPrompt(needs, task, { signal, onOutput })
    return signal.aborted ? { exitCode: null, error: String(signal.reason) } : result
  } catch (error) {
    if (signal.aborted) return { exitCode: null, error: String(signal.reason) }
    needs.log.error({ err: error, taskId: task.id }, 'task run failed by an unexpected error')
    return { exitCode: null, error: 'The run failed by an unexpected error; see the log.' }
  }
}

function toEnded(run: Run, { error, exitCode }: PromptResult, now: Date): Run {
  const isFailed = error !== null || exitCode !== 0
  const status = isFailed ? 'failed' : 'completed'
  return { ...run, status, error, exitCode, completedAt: now.toISOString(), leaseUntil: null }
}

/** False for a run that was cancelled or failed elsewhere in between. */
async function save(
  { db }: Pick<RunNeeds, 'db'>,
  endedRun: Run,
  outputs: Readonly<Record<OutputStream, StoredOutput>>,
): Promise<boolean> {
  const { completedAt, error, exitCode, id, leaseUntil, startedAt, status, taskId } = endedRun
  return transaction(db, async (own) => {
    const set = { completedAt, error, exitCode, leaseUntil, status }
    if (!(await updateLiveRun(own, endedRun, set))) return false
    for (const stream of ['stdout', 'stderr'] as const)
      if (outputs[stream].text !== '')
        await insertOutput(own, { ...outputs[stream], runId: id, stream })
    await updateTask(own, taskId, { lastRunAt: startedAt })
    await pruneRuns(own, { ...retention, taskId })
    return true
  })
}

function toEvent({ agentId, harness }: Task, { id, status, taskId }: Run) {
  return { agentId, harness, id, status, taskId }
}
