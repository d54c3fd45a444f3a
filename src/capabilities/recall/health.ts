import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { RecallNeeds } from './needs.ts'

/** What the search index holds. While it is built, questions are answered by the database alone. */
export function recallHealth({ engine }: Pick<RecallNeeds, 'engine'>): HealthCheck {
  return {
    name: 'search',
    check: async () => {
      const health = engine.health()
      const { state, withoutVectors, remedy = 'the server has no vector extension' } = health
      const reasons = [
        state === 'failed' && 'the search index has failed',
        withoutVectors && `meaning is not searched: ${remedy}`,
      ]
      return toHealth(reasons, { ...health })
    },
  }
}
