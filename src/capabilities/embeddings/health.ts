import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { ProviderStatus } from './status.ts'
import type { Progress } from './tracker.ts'

interface HealthNeeds {
  readonly status: () => Promise<ProviderStatus>
  readonly progress: () => Promise<Progress>
}

/** Whether the provider answers, and how far the vectors are. */
export function embeddingsHealth({ status, progress }: HealthNeeds): HealthCheck {
  return {
    name: 'embedding',
    check: async () => {
      const { provider, model, available, error } = await status()
      const { active, building, total, embedded, refused } = await progress()
      const usage = { total, embedded, refused }
      const migration = building === null ? null : { from: active, to: building }
      return toHealth([provider !== 'none' && !available && (error ?? 'it does not answer')], {
        ...{ provider, model, available, usage, migration },
        ...(error !== undefined && { error }),
      })
    },
  }
}
