import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { MemoryNeeds } from './needs.ts'
import { countMemories } from './store/counts.ts'

/** As the contract has them: so much may be deleted and not yet purged, or the score falls by this. */
const maxDeletedRatio = 0.3
const deletedPenalty = 0.3

/** How much is kept; whether it is frozen. */
export function memoryHealth({ db, config }: Pick<MemoryNeeds, 'db' | 'config'>): HealthCheck {
  return {
    name: 'memory',
    check: async () => {
      const frozen = config().mutationsFrozen
      const counts = await countMemories(db)
      const { live, deleted } = counts
      const score = deleted > maxDeletedRatio * (live + deleted) ? 1 - deletedPenalty : 1
      return toHealth([frozen && 'writing is switched off'], { ...counts, frozen }, score)
    },
  }
}
