import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { ProviderStatus } from './status.ts'
import type { Progress } from './tracker.ts'

interface HealthNeeds {
  readonly status: () => Promise<ProviderStatus>
  readonly progress: () => Promise<Progress>
}

/** Below this share of embedded memories the score falls by `penalty`. */
const minEmbeddedShare = 0.8
const penalty = 0.3

/** Reports the provider status and the coverage. */
export function embeddingsHealth({ status, progress }: HealthNeeds): HealthCheck {
  return {
    name: 'embedding',
    check: async () => {
      const { provider, model, available, error } = await status()
      const { active, building, total, embedded, refused } = await progress()
      const usage = { total, embedded, refused }
      const migration = building === null ? null : { from: active, to: building }
      const providerProblem =
        provider !== 'none' && !available && (error ?? 'the provider does not answer')
      const errorField = error === undefined ? {} : { error }
      const details = { provider, model, available, usage, migration, ...errorField }
      return toHealth(
        [providerProblem],
        details,
        embedded < minEmbeddedShare * total ? 1 - penalty : 1,
      )
    },
  }
}
