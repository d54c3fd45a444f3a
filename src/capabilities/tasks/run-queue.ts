import { executeRun } from './execute-run.ts'
import type { RunNeeds } from './needs.ts'
import type { Run, Task } from './task.ts'

export type RunQueue = ReturnType<typeof createRunQueue>

const concurrency = 3
export const maxPending = 50

interface QueuedRun {
  readonly task: Task
  readonly run: Run
}

interface ActiveRun extends QueuedRun {
  readonly controller: AbortController
  /** Resolves when the run has ended and is stored. */
  readonly done: Promise<void>
}

/** The leased runs of this daemon: three are active, the others wait. */
export function createRunQueue(needs: RunNeeds) {
  const active = new Map<string, ActiveRun>()
  const pending: QueuedRun[] = []
  const state = { isStopping: false }

  const startNext = () => {
    while (!state.isStopping && active.size < concurrency) {
      const next = pending.shift()
      if (!next) return
      execute(next)
    }
  }
  const execute = ({ task, run }: QueuedRun) => {
    const controller = new AbortController()
    const done = executeRun(needs, task, run, controller.signal)
      .catch((err: unknown) => needs.log.error({ err, runId: run.id }, 'task run not stored'))
      .then(() => {
        active.delete(run.id)
        startNext()
      })
    active.set(run.id, { task, run, controller, done })
  }

  return {
    hasRoom: () => active.size < concurrency,
    counts: () => ({ running: active.size, pending: pending.length }),
    list: (): readonly Run[] => [...active.values(), ...pending].map(({ run }) => run),
    submit: (task: Task, run: Run) => {
      pending.push({ task, run })
      startNext()
    },
    abort: (runId: string, reason: string) => active.get(runId)?.controller.abort(reason),
    /** Ends the active run of a task and removes a pending one. False without an active run. */
    cancel: async (taskId: string): Promise<boolean> => {
      const own = [...active.values()].find(({ task }) => task.id === taskId)
      const waiting = pending.findIndex(({ task }) => task.id === taskId)
      if (waiting >= 0) pending.splice(waiting, 1)
      own?.controller.abort('cancelled')
      await own?.done
      return own !== undefined
    },
    /** Ends the active runs. Returns those that never started. */
    stop: async (reason: string): Promise<readonly Run[]> => {
      state.isStopping = true
      for (const { controller } of active.values()) controller.abort(reason)
      await Promise.all([...active.values()].map(({ done }) => done))
      return pending.splice(0).map(({ run }) => run)
    },
  }
}
