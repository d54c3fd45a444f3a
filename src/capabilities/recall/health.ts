import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { RecallNeeds } from './needs.ts'

/** What the search index holds. While it is built, questions are answered by the database alone. */
export function recallHealth({ engine }: Pick<RecallNeeds, 'engine'>): HealthCheck {
  return {
    name: 'search',
    check: async () => {
      const health = engine.health()
      return toHealth([health.state === 'failed' && 'the search index has failed'], { ...health })
    },
  }
}
