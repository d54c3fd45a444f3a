import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { activeStates } from './import-job.ts'
import type { ImportsOptions } from './needs.ts'
import { measureUploads } from './store/files.ts'
import { countJobs } from './store/jobs.ts'

/** Uploads and imports that run or need attention. */
export function importsHealth({ db }: Pick<ImportsOptions, 'db'>): HealthCheck {
  return {
    name: 'imports',
    check: async () => {
      const active = await countJobs(db, activeStates)
      const failed = await countJobs(db, ['failed'])
      const reason = failed > 0 && `${failed} imports have failed; retry or cancel them`
      return toHealth([reason], { active, failed, ...(await measureUploads(db)) })
    },
  }
}
