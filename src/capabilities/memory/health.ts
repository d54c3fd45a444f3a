import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { MemoryNeeds } from './needs.ts'
import { countMemories } from './store/counts.ts'

/** How much is kept; whether it is frozen. */
export function memoryHealth({ db, config }: Pick<MemoryNeeds, 'db' | 'config'>): HealthCheck {
  return {
    name: 'memory',
    check: async () => {
      const frozen = config().pipelineV2.mutationsFrozen
      const counts = await countMemories(db)
      return toHealth([frozen && 'writing is switched off'], { ...counts, frozen })
    },
  }
}
