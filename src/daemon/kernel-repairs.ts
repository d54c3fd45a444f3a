import type { RepairAction } from '../kernel/capability/repair.ts'
import type { Db } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'

/** Jobs of one run. */
const maxRequeued = 50

type RepairableJobs = Pick<Jobs, 'countSweepable' | 'releaseStale' | 'requeueDead' | 'sweep'>

/** The repairs of the job queue. */
export function jobRepairs(
  db: Db,
  jobs: RepairableJobs,
  leaseTimeoutMs: () => number,
): readonly RepairAction[] {
  return [
    {
      name: 'requeue-dead',
      run: ({ save }) =>
        save(async (db) => ({ affected: await jobs.requeueDead(db, maxRequeued), next: null })),
      describe: ({ affected }) => `Requeued ${affected} dead jobs.`,
    },
    {
      name: 'release-leases',
      run: ({ save }) =>
        save(async (db) => ({
          affected: await jobs.releaseStale(db, leaseTimeoutMs()),
          next: null,
        })),
      describe: ({ affected }) => `Released ${affected} stale leases.`,
    },
    {
      name: 'retention-sweep',
      run: async ({ dryRun, save }) =>
        dryRun
          ? toOutcome(await jobs.countSweepable(db))
          : save(async (db) => toOutcome(await jobs.sweep(db))),
    },
  ]
}

function toOutcome({ completedJobs, deadJobs, hasMore }: Awaited<ReturnType<Jobs['sweep']>>) {
  return {
    affected: completedJobs + deadJobs,
    next: hasMore ? 'more' : null,
    counts: { completedJobs, deadJobs },
  }
}
