import type { RunNeeds } from './needs.ts'
import { maxStored } from './output.ts'
import { findNewestRun, findRun } from './store/runs.ts'
import type { Run } from './task.ts'

type ForeignNeeds = Pick<RunNeeds, 'daemonId' | 'db' | 'exclusive' | 'host' | 'live' | 'log'>

/** What the followers of a task have seen of the runs of other daemons. */
interface Watch {
  followers: number
  readonly leaving: AbortController
  lastSeen: Pick<Run, 'id' | 'status'> | undefined
}

const intervalMs = 2_000

/**
 * Shows the followers of a task the runs of other daemons: their start, their end, and their output
 * at the end. Reads the database only while a client follows.
 */
export function createForeignRuns(needs: ForeignNeeds) {
  const watches = new Map<string, Watch>()
  return {
    /** Until the signal aborts. Nothing on a file, where no other daemon runs. */
    watch: (taskId: string, signal: AbortSignal): void => {
      if (needs.exclusive || signal.aborted) return
      const known = watches.get(taskId)
      const watch = known ?? { followers: 0, leaving: new AbortController(), lastSeen: undefined }
      watch.followers += 1
      watches.set(taskId, watch)
      if (!known) void repeat(needs, taskId, watch)
      signal.addEventListener('abort', () => {
        watch.followers -= 1
        if (watch.followers > 0) return
        watch.leaving.abort()
        watches.delete(taskId)
      })
    },
  }
}

async function repeat(needs: ForeignNeeds, taskId: string, watch: Watch): Promise<void> {
  const { signal } = watch.leaving
  let isFirst = true
  while (!signal.aborted) {
    try {
      await show(needs, { taskId, watch, isFirst })
      isFirst = false
    } catch (err) {
      needs.log.warn({ err, taskId }, 'runs of other daemons not read')
    }
    await needs.host.sleep(intervalMs, signal)
  }
}

interface Step {
  readonly taskId: string
  readonly watch: Watch
  /** A run that ended before the first follower came is not shown. */
  readonly isFirst: boolean
}

async function show(needs: ForeignNeeds, { isFirst, taskId, watch }: Step): Promise<void> {
  const run = await findNewestRun(needs.db, taskId)
  if (!run || run.daemonId === needs.daemonId || run.status === 'pending') return
  const isNew = run.id !== watch.lastSeen?.id
  if (!isNew && run.status === watch.lastSeen?.status) return
  watch.lastSeen = { id: run.id, status: run.status }
  const isEnded = run.status !== 'running'
  if (isFirst && isEnded) return
  if (isNew) needs.live.started(run)
  if (isEnded) await showEnd(needs, run)
}

async function showEnd({ db, live }: ForeignNeeds, run: Run): Promise<void> {
  const stored = await findRun(db, run, maxStored)
  for (const stream of ['stdout', 'stderr'] as const) {
    const { text = '' } = stored?.[stream] ?? {}
    if (text !== '') live.output(run, stream, text)
  }
  live.completed(run)
}
