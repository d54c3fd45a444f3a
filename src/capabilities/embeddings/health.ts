import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { ProviderStatus } from './status.ts'
import type { Progress } from './tracker.ts'

interface HealthNeeds {
  readonly status: () => Promise<ProviderStatus>
  readonly progress: () => Promise<Progress>
}

/** As the contract has them: fewer memories with a vector, and the score falls by this. */
const leastEmbedded = 0.8
const penalty = 0.3

/** Whether the provider answers, and how far the vectors are. */
export function embeddingsHealth({ status, progress }: HealthNeeds): HealthCheck {
  return {
    name: 'embedding',
    check: async () => {
      const { provider, model, available, error } = await status()
      const { active, building, total, embedded, refused } = await progress()
      const usage = { total, embedded, refused }
      const migration = building === null ? null : { from: active, to: building }
      const silent = provider !== 'none' && !available && (error ?? 'it does not answer')
      const told = { provider, model, available, usage, migration }
      const details = { ...told, ...(error !== undefined && { error }) }
      return toHealth([silent], details, embedded < leastEmbedded * total ? 1 - penalty : 1)
    },
  }
}
