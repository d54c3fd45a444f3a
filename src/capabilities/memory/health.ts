import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { MemoryNeeds } from './needs.ts'
import { countMemories } from './store/counts.ts'

/** As the contract has them: so much may be deleted and not yet purged, or the score falls by this. */
const mostDeleted = 0.3
const penalty = 0.3

/** How much is kept; whether it is frozen. */
export function memoryHealth({ db, config }: Pick<MemoryNeeds, 'db' | 'config'>): HealthCheck {
  return {
    name: 'memory',
    check: async () => {
      const frozen = config().mutationsFrozen
      const counts = await countMemories(db)
      const { live, deleted } = counts
      const score = deleted > mostDeleted * (live + deleted) ? 1 - penalty : 1
      return toHealth([frozen && 'writing is switched off'], { ...counts, frozen }, score)
    },
  }
}
