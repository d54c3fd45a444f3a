import type { SourceDeletion } from '../deletion/delete-source.ts'
import { createVaultWatcher } from '../kinds/notes-vault/watcher.ts'
import type { SourcesOptions } from '../needs.ts'
import type { Registry } from '../registry/registry.ts'
import type { SourceEntry } from '../source.ts'
import { isActive } from './job.ts'
import type { RunScheduler } from './scheduler.ts'

interface BackgroundNeeds extends Pick<SourcesOptions, 'host' | 'log' | 'config'> {
  readonly registry: Pick<Registry, 'list' | 'find'>
  readonly scheduler: Pick<RunScheduler, 'enqueue' | 'settled' | 'find' | 'history'>
  readonly deletion: Pick<SourceDeletion, 'resume' | 'isDeleted'>
}

const startDelayMs = 5_000
const startSpreadMs = 1_000
/** Pauses that end by themselves. */
const retried = new Set(['provider_unavailable', 'many_missing', 'rate_limited'])
/** The interval doubles with each failed run in a row, this many times. */
const maxDoublings = 5

interface RefreshNeeds {
  readonly scheduler: Pick<RunScheduler, 'find' | 'history'>
  readonly refreshMinutes: number
  readonly now: Date
}

/** Whether a run is due that no request starts: after a pause, or because the origin may have changed. */
export function isDue(
  { id, kind, enabled }: SourceEntry,
  { scheduler, refreshMinutes, now }: RefreshNeeds,
): boolean {
  const job = scheduler.find(id)
  if (!enabled || !job || isActive(job) || job.isFinal) return false
  if (job.retryAt !== undefined) return Date.parse(job.retryAt) <= now.getTime()
  if (job.pauseReason !== undefined) return retried.has(job.pauseReason)
  if (kind === 'notes-vault' || kind === 'import' || refreshMinutes === 0) return false
  const runs = scheduler.history(id)
  const goodRun = runs.findIndex(({ status }) => status !== 'failed')
  const failures = goodRun < 0 ? runs.length : goodRun
  const intervalMs = refreshMinutes * 60_000 * 2 ** Math.min(maxDoublings, failures)
  return Date.parse(job.finishedAt ?? job.queuedAt) + intervalMs <= now.getTime()
}

/** An imported file has no original that could change. */
function hasRuns({ kind }: SourceEntry): boolean {
  return kind !== 'import'
}

/** The runs that no request starts. */
export function createBackgroundRuns({
  host,
  log,
  config,
  registry,
  scheduler,
  deletion,
}: BackgroundNeeds) {
  const stop = new AbortController()
  const watcher = createVaultWatcher({
    host,
    log,
    // A run that has begun may have read the file before.
    onChange: ({ id }) =>
      void scheduler
        .settled(id)
        .then(() => registry.find(id))
        .then((source) => source?.enabled && !stop.signal.aborted && scheduler.enqueue(source))
        .catch((error: unknown) => log.error({ err: error }, 'source start failed')),
  })
  const runAll = async () => {
    await deletion.resume()
    await host.sleep(startDelayMs, stop.signal)
    for (const { id } of await registry.list()) {
      const source = await registry.find(id)
      if (stop.signal.aborted) return
      if (!source?.enabled || !hasRuns(source) || (await deletion.isDeleted(source))) continue
      scheduler.enqueue(source)
      await host.sleep(startSpreadMs, stop.signal)
    }
  }
  return {
    /** Finishes deletions, then indexes each enabled source. Does not wait for them. */
    start: async () => {
      void runAll().catch((error: unknown) => log.error({ err: error }, 'source start failed'))
    },
    refresh: async () => {
      const { refreshMinutes } = config()
      const due = { scheduler, refreshMinutes, now: host.now() }
      for (const source of await registry.list()) if (isDue(source, due)) scheduler.enqueue(source)
    },
    /** Follows the folders of the enabled vaults. */
    watch: async () => {
      const vaults = (await registry.list()).filter(
        ({ kind, enabled }) => kind === 'notes-vault' && enabled,
      )
      if (!stop.signal.aborted) await watcher.refresh(vaults)
    },
    stop: () => {
      stop.abort()
      watcher.close()
    },
  }
}
