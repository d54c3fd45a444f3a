import type { SourceDeletion } from '../deletion/delete-source.ts'
import { createVaultWatcher } from '../kinds/notes-vault/watcher.ts'
import type { SourcesOptions } from '../needs.ts'
import type { Registry } from '../registry/registry.ts'
import type { RunScheduler } from './scheduler.ts'

interface BackgroundNeeds extends Pick<SourcesOptions, 'host' | 'log'> {
  readonly registry: Registry
  readonly scheduler: RunScheduler
  readonly deletion: SourceDeletion
}

const startDelayMs = 5_000
const startSpreadMs = 1_000
/** Pauses that end by themselves. */
const retried = new Set(['provider_unavailable', 'many_missing', 'rate_limited'])

/** The runs that no request starts. */
export function createBackgroundRuns({
  host,
  log,
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
      if (source?.enabled && !(await deletion.isDeleted(source))) scheduler.enqueue(source)
      await host.sleep(startSpreadMs, stop.signal)
    }
  }
  return {
    /** Finishes deletions, then indexes each enabled source. Does not wait for them. */
    start: async () => {
      void runAll().catch((error: unknown) => log.error({ err: error }, 'source start failed'))
    },
    retryPaused: async () => {
      for (const source of await registry.list()) {
        const reason = scheduler.find(source.id)?.pauseReason
        if (source.enabled && reason !== undefined && retried.has(reason)) scheduler.enqueue(source)
      }
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
