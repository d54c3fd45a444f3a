import type { RepairAction, RepairOutcome, RepairStep } from '../../kernel/capability/repair.ts'
import type { Db } from '../../kernel/db/database.ts'
import { notifyDependants } from './evidence.ts'
import type { MemoryNeeds } from './needs.ts'
import { retentionWindowMs } from './refusals.ts'
import { countHistoryBefore, deleteHistoryBefore } from './store/history.ts'
import { countExpired, deletePurgedBefore, listExpired, purgeExpired } from './store/purge.ts'

export type SweepNeeds = Pick<
  MemoryNeeds,
  'background' | 'db' | 'host' | 'embeddings' | 'evidenceDependants'
>

/** A small batch does not delay concurrent writes. The text index removes a row in about 2 ms. */
const batchSize = 50
const historyBatchSize = 500
const dayMs = 86_400_000
/** How long the record of a purge is stored. */
const purgeRecordMs = 30 * dayMs
const historyMs = 180 * dayMs

/** Purges deleted memories with their vectors, then history older than 180 days. */
export function createRetentionSweep(needs: SweepNeeds): RepairAction {
  return {
    name: 'retention-sweep',
    run: (step) => (step.dryRun ? preview(needs) : runSlice(needs, step)),
    describe: ({ counts, dryRun }) => {
      const { tombstones = 0, history = 0, completedJobs = 0, deadJobs = 0 } = counts
      const verb = dryRun ? 'Would delete' : 'Deleted'
      const jobs = completedJobs + deadJobs
      const { graphLinks = 0 } = counts
      const links = graphLinks > 0 ? `, ${graphLinks} links of the graph to missing memories` : ''
      return `${verb} ${tombstones} expired memories${links}, ${history} history rows and ${jobs} jobs.`
    },
  }
}

function runSlice(needs: SweepNeeds, { cursor, save }: RepairStep): Promise<RepairOutcome> {
  if (cursor === 'history')
    return save(async (db) => {
      const page = { before: before(needs, historyMs), limit: historyBatchSize }
      const history = await deleteHistoryBefore(db, page)
      const next = history === historyBatchSize ? 'history' : null
      return { affected: history, next, counts: { history } }
    })
  return save(async (db) => {
    const { tombstones, embeddings, hasMore } = await purgeSlice(needs, db)
    return {
      affected: tombstones,
      next: hasMore ? 'tombstones' : 'history',
      counts: { tombstones, embeddings, history: 0 },
    }
  })
}

async function preview(needs: SweepNeeds): Promise<RepairOutcome> {
  const { db, background = db } = needs
  const tombstones = await countExpired(background, before(needs, retentionWindowMs))
  const history = await countHistoryBefore(background, before(needs, historyMs))
  return { affected: tombstones + history, next: null, counts: { tombstones, history } }
}

/** Purges a batch of memories past the recovery window, in the transaction of the caller. */
export async function purgeSlice(needs: SweepNeeds, db: Db) {
  const { embeddings, host } = needs
  await deletePurgedBefore(db, before(needs, purgeRecordMs))
  const expired = { before: before(needs, retentionWindowMs), at: host.now().toISOString() }
  const ids = await listExpired(db, { ...expired, limit: batchSize })
  if (ids.length === 0) return { tombstones: 0, embeddings: 0, hasMore: false }
  const purged = await purgeExpired(db, { ...expired, ids })
  const purgedIds = purged.map(({ id }) => id)
  const vectors = await embeddings.deleteVectors(db, purgedIds)
  for (const [agentId, rows] of Map.groupBy(purged, (row) => row.agentId)) {
    const ids = rows.map(({ id }) => id)
    await notifyDependants(needs, db, { event: 'purged', agentId, ids })
  }
  // Without progress the same ids would be listed forever.
  const hasMore = ids.length === batchSize && purgedIds.length > 0
  return { tombstones: purgedIds.length, embeddings: vectors, hasMore }
}

function before({ host }: Pick<SweepNeeds, 'host'>, ms: number): string {
  return new Date(host.now().getTime() - ms).toISOString()
}
