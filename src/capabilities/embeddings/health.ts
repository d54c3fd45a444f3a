import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { ProviderStatus } from './status.ts'
import type { Tracker } from './tracker.ts'

interface HealthNeeds {
  readonly status: () => Promise<ProviderStatus>
  readonly tracker: Pick<Tracker, 'progress'>
}

/** Whether the provider answers, and how far the vectors are. */
export function embeddingsHealth({ status, tracker }: HealthNeeds): HealthCheck {
  return {
    name: 'embedding',
    check: async () => {
      const { provider, model, available, error } = await status()
      const { active, building, total, embedded, refused } = await tracker.progress()
      const usage = { total, embedded, refused }
      const migration = building === null ? null : { from: active, to: building }
      return toHealth([provider !== 'none' && !available && (error ?? 'it does not answer')], {
        ...{ provider, model, available, usage, migration },
        ...(error !== undefined && { error }),
      })
    },
  }
}
