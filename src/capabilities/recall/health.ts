import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { RecallNeeds } from './needs.ts'

/** State of the search engine. The database answers alone while the index is built. */
export function recallHealth({ engine }: Pick<RecallNeeds, 'engine'>): HealthCheck {
  return {
    name: 'search',
    check: async () => {
      const health = engine.health()
      const {
        state,
        withoutVectors,
        oversized,
        remedy = 'the server has no vector extension',
      } = health
      const reasons = [
        state === 'failed' && 'the search index has failed',
        withoutVectors && `vector search is off: ${remedy}`,
        oversized && `the search index stays in memory: ${oversized}`,
      ]
      return toHealth(reasons, { ...health })
    },
  }
}
