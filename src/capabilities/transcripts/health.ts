import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { countCaptures } from './count-captures.ts'
import type { TranscriptsNeeds } from './needs.ts'

export function transcriptsHealth(needs: Pick<TranscriptsNeeds, 'db' | 'jobs'>): HealthCheck {
  return {
    name: 'transcripts',
    check: async () => {
      const { pending, processing, failed, dead } = await countCaptures(needs)
      return toHealth([dead > 0 && `${dead} transcripts were not written to their file`], {
        capture: { pending, failed, dead, processing },
      })
    },
  }
}
