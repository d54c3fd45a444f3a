import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { countCaptures } from './count-captures.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { countBehind } from './store/written.ts'

export function transcriptsHealth(needs: Pick<TranscriptsNeeds, 'db' | 'jobs'>): HealthCheck {
  return {
    name: 'transcripts',
    check: async () => {
      const { pending, processing, failed, dead } = await countCaptures(needs)
      const behind = await countBehind(needs.db)
      // A job that is stuck or dead is told of by the queue; one that was refused is as it should be.
      return toHealth([], { capture: { pending, failed, dead, processing }, behind })
    },
  }
}
