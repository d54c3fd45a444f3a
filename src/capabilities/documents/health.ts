import type { Db } from '../../kernel/db/database.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import { ingestJob } from './document.ts'
import { countByStatus } from './store/documents.ts'

interface HealthNeeds {
  readonly background: Db
  readonly jobs: Pick<Jobs, 'countsOf'>
}

export function documentsHealth({ background, jobs }: HealthNeeds): HealthCheck {
  return {
    name: 'documents',
    check: async () => {
      const [documents, { dead }] = await Promise.all([
        countByStatus(background),
        jobs.countsOf(ingestJob),
      ])
      const [queued, failed] = [documents.get('queued') ?? 0, documents.get('failed') ?? 0]
      return toHealth([], { queued, failed, done: documents.get('done') ?? 0, dead })
    },
  }
}
