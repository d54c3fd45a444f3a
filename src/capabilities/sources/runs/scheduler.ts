import { isDeepStrictEqual } from 'node:util'
import type { Host } from '../../../kernel/host/host.ts'
import type { SourceEntry } from '../source.ts'
import { createJob, type IndexJob, isActive } from './job.ts'

/** Runs that work at the same time. */
const concurrency = 2
const historyLength = 20
/** A run ends within this time of its cancellation, or counts as still finishing. */
const cancelTimeoutMs = 2_000

type Change = (change: Partial<IndexJob>) => void

interface SchedulerNeeds {
  readonly host: Host
  /** Runs one source and returns how it ended. Throws for faults. */
  readonly run: (source: SourceEntry, run: RunControl) => Promise<Partial<IndexJob>>
  readonly onChange: (job: IndexJob, source: SourceEntry) => void
}

export interface RunControl {
  readonly signal: AbortSignal
  /** Updates the progress that callers see. */
  readonly report: Change
  /** Frees the place of a run that only waits for events, so that others run meanwhile. */
  readonly leavePlace: () => void
}

export interface RunScheduler {
  /** Queues a run, or returns the active one. Changed settings are read by a run after it. */
  enqueue(source: SourceEntry): IndexJob
  find(sourceId: string): IndexJob | undefined
  /** Ended runs, the newest first. */
  history(sourceId: string): readonly IndexJob[]
  /** Aborts the active run. Returns false if it is still finishing after the timeout. */
  cancel(sourceId: string, reason: CancelReason): Promise<boolean>
  /** Waits for the end of the active run. */
  settled(sourceId: string): Promise<void>
  /** Forgets the runs of a deleted source. */
  forget(sourceId: string): void
  close(): Promise<void>
}

type CancelReason = 'paused' | 'deleted' | 'shutdown'

interface Run {
  job: IndexJob
  readonly source: SourceEntry
  readonly stop: AbortController
  /** The settings of the next run, if they changed since the begin of this one. */
  next?: SourceEntry
  ended: Promise<void>
}

/** One run a source, two at once, in the order of the queue. */
export function createScheduler(needs: SchedulerNeeds): RunScheduler {
  const { host, onChange } = needs
  const runs = new Map<string, Run>()
  const history = new Map<string, readonly IndexJob[]>()
  const state = { isClosed: false }
  const perform = createPerformer(needs, ({ job }) => {
    history.set(job.sourceId, [job, ...(history.get(job.sourceId) ?? [])].slice(0, historyLength))
  })
  const runNext = ({ next, stop }: Run) => {
    if (next && !stop.signal.aborted) enqueue(next)
  }
  const enqueue = (source: SourceEntry): IndexJob => {
    const previous = runs.get(source.id)
    if (previous && isActive(previous.job) && !previous.stop.signal.aborted) {
      if (!hasEqualSettings(previous.next ?? previous.source, source)) previous.next = source
      return previous.job
    }
    const stop = new AbortController()
    if (state.isClosed) stop.abort('shutdown')
    const run: Run = {
      job: createJob(source, host.now()),
      source,
      stop,
      ended: Promise.resolve(),
    }
    run.ended = perform(run, previous?.ended).then(() => runNext(run))
    runs.set(source.id, run)
    onChange(run.job, source)
    return run.job
  }
  return {
    enqueue,
    find: (sourceId) => runs.get(sourceId)?.job,
    history: (sourceId) => history.get(sourceId) ?? [],
    cancel: async (sourceId, reason) => {
      const current = runs.get(sourceId)
      if (!current || !isActive(current.job)) return true
      current.stop.abort(reason)
      return endsInTime(host, current.ended)
    },
    settled: async (sourceId) => runs.get(sourceId)?.ended,
    forget: (sourceId) => {
      runs.delete(sourceId)
      history.delete(sourceId)
    },
    close: async () => {
      state.isClosed = true
      for (const { stop } of runs.values()) stop.abort('shutdown')
      await Promise.all([...runs.values()].map(({ ended }) => ended))
    },
  }
}

/** Returns a function that runs when a place is free, after the cancelled run of the same source. */
function createPerformer({ host, run, onChange }: SchedulerNeeds, onEnd: (run: Run) => void) {
  const waiting: (() => void)[] = []
  const state = { busy: 0 }
  const acquire = async () => {
    if (state.busy >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    state.busy += 1
  }
  const release = () => {
    state.busy -= 1
    waiting.shift()?.()
  }
  /** Frees a place once. */
  const createRelease = () => {
    const place = { isTaken: true }
    return () => {
      if (place.isTaken) release()
      place.isTaken = false
    }
  }
  const update = (current: Run, change: Partial<IndexJob>) => {
    const before = current.job.status
    current.job = { ...current.job, ...change }
    if (current.job.status !== before) onChange(current.job, current.source)
  }
  const end = (current: Run, change: Partial<IndexJob>) => {
    update(current, { ...change, currentPath: undefined, finishedAt: host.now().toISOString() })
    onEnd(current)
  }
  return async (current: Run, previous: Promise<void> | undefined): Promise<void> => {
    const { signal } = current.stop
    await previous
    await acquire()
    const leavePlace = createRelease()
    try {
      if (signal.aborted) return end(current, toCancelled(signal))
      update(current, { status: 'running', startedAt: host.now().toISOString() })
      const report = (change: Partial<IndexJob>) => update(current, change)
      const result = await run(current.source, { signal, report, leavePlace })
      end(current, signal.aborted ? toCancelled(signal) : result)
    } finally {
      leavePlace()
    }
  }
}

function hasEqualSettings(one: SourceEntry, other: SourceEntry): boolean {
  return isDeepStrictEqual(toSettings(one), toSettings(other))
}

function toSettings({ name, root, excludeGlobs, providerSettings, generation }: SourceEntry) {
  return { name, root, excludeGlobs, providerSettings, generation }
}

async function endsInTime(host: Host, ended: Promise<void>): Promise<boolean> {
  const late = new AbortController()
  const isEnded = await Promise.race([
    ended.then(() => true),
    host.sleep(cancelTimeoutMs, late.signal).then(() => false),
  ])
  late.abort()
  return isEnded
}

function toCancelled({ reason }: AbortSignal): Partial<IndexJob> {
  if (reason === 'paused')
    return {
      status: 'paused',
      partial: true,
      pauseReason: 'paused',
      statusMessage: 'Paused by a request. Resume it with reverie source resume.',
    }
  return { status: 'failed', partial: true, error: `The run was cancelled: ${String(reason)}.` }
}
