import type { SourceDeletion } from '../deletion/delete-source.ts'
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
    stop: () => stop.abort(),
  }
}
