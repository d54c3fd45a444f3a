import { toCount } from '../../kernel/errors/to-count.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { Registry } from './registry/registry.ts'
import type { RunScheduler } from './runs/scheduler.ts'

interface HealthNeeds {
  readonly registry: Registry
  readonly scheduler: Pick<RunScheduler, 'find'>
}

/** Sources by the state of their last run. A failed source never makes the service unready. */
export function sourcesHealth({ registry, scheduler }: HealthNeeds): HealthCheck {
  return {
    name: 'sources',
    check: async () => {
      const [sources, problem] = [await registry.list(), await registry.problem()]
      const counts = { queued: 0, running: 0, complete: 0, paused: 0, failed: 0, idle: 0 }
      let denied = 0
      for (const { id } of sources) {
        const job = scheduler.find(id)
        counts[job?.status ?? 'idle'] += 1
        if (job?.error?.startsWith('permission_denied')) denied += 1
      }
      const reasons = [
        problem,
        counts.failed > 0 && `${toCount(counts.failed, 'source')} failed: see reverie source list`,
        counts.paused > 0 && `${toCount(counts.paused, 'source')} paused: see reverie source list`,
      ]
      return toHealth(reasons, { total: sources.length, ...counts, denied })
    },
  }
}
