import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { MemoryNeeds } from './needs.ts'
import { countMemories } from './store/lists.ts'

/** Contract: above this ratio of deleted memories, the score falls by the penalty. */
const maxDeletedRatio = 0.3
const deletedPenalty = 0.3

/** Counts memories and reports a freeze. */
export function memoryHealth({ db, config }: Pick<MemoryNeeds, 'db' | 'config'>): HealthCheck {
  return {
    name: 'memory',
    check: async () => {
      const frozen = config().mutationsFrozen
      const counts = await countMemories(db)
      const { live, deleted } = counts
      const score = deleted > maxDeletedRatio * (live + deleted) ? 1 - deletedPenalty : 1
      return toHealth([frozen && 'writes are frozen'], { ...counts, frozen }, score)
    },
  }
}
