import type { RepairAction } from '../kernel/capability/repair.ts'
import type { Db } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'

/** Jobs of one run. */
const maxRequeued = 50

type RepairableJobs = Pick<
  Jobs,
  'countRepairable' | 'countSweepable' | 'releaseStale' | 'requeueDead' | 'sweep'
>

/** The repairs of the job queue. */
export function jobRepairs(
  db: Db,
  jobs: RepairableJobs,
  leaseTimeoutMs: () => number,
): readonly RepairAction[] {
  return [
    {
      name: 'requeue-dead',
      run: async ({ dryRun, save }) => {
        if (!dryRun) return save(async (db) => toSlice(await jobs.requeueDead(db, maxRequeued)))
        const { dead } = await jobs.countRepairable(leaseTimeoutMs())
        return toSlice(Math.min(dead, maxRequeued))
      },
      describe: ({ affected, dryRun }) =>
        `${dryRun ? 'Would requeue' : 'Requeued'} ${affected} dead jobs.`,
    },
    {
      name: 'release-leases',
      run: async ({ dryRun, save }) =>
        dryRun
          ? toSlice((await jobs.countRepairable(leaseTimeoutMs())).stale)
          : save(async (db) => toSlice(await jobs.releaseStale(db, leaseTimeoutMs()))),
      describe: ({ affected, dryRun }) =>
        `${dryRun ? 'Would release' : 'Released'} ${affected} stale leases.`,
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

/** The only slice of a repair. */
function toSlice(affected: number) {
  return { affected, next: null }
}

function toOutcome({ completedJobs, deadJobs, hasMore }: Awaited<ReturnType<Jobs['sweep']>>) {
  return {
    affected: completedJobs + deadJobs,
    next: hasMore ? 'more' : null,
    counts: { completedJobs, deadJobs },
  }
}
