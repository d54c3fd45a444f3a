import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { countCaptures } from './count-captures.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { countPendingFiles } from './store/transcript-files.ts'

export function transcriptsHealth(needs: Pick<TranscriptsNeeds, 'db' | 'jobs'>): HealthCheck {
  return {
    name: 'transcripts',
    check: async () => {
      const { pending, processing, failed, dead } = await countCaptures(needs)
      const pendingFiles = await countPendingFiles(needs.db)
      // The queue reports stuck and dead jobs; a rejected capture is no fault.
      return toHealth([], { capture: { pending, failed, dead, processing }, behind: pendingFiles })
    },
  }
}
