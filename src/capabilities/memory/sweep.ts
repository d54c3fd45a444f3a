import { transaction } from '../../kernel/db/transaction.ts'
import type { MemoryNeeds } from './needs.ts'
import { retentionWindowMs } from './recover.ts'
import { deletePurgedBefore, listExpired, purgeExpired } from './store/purge.ts'

/** A small batch keeps concurrent writes fast. */
const batchSize = 200

/** How long the record of a purge is stored. */
const purgeRecordMs = 30 * 24 * 60 * 60 * 1000

type Needs = Pick<MemoryNeeds, 'db' | 'host' | 'embeddings'>

/** Purges memories past the recovery window. Returns their number. */
export async function sweepExpired({ db, host, embeddings }: Needs) {
  const now = host.now()
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  await transaction(db, (db) => deletePurgedBefore(db, before(purgeRecordMs)))
  const expired = { before: before(retentionWindowMs), at: now.toISOString() }
  let purged = 0
  for (;;) {
    const ids = await listExpired(db, { ...expired, limit: batchSize })
    if (ids.length === 0) return purged
    const purgedCount = await transaction(db, async (db) => {
      const purgedIds = await purgeExpired(db, { ...expired, ids })
      await embeddings.deleteVectors(db, purgedIds)
      return purgedIds.length
    })
    // Otherwise the same ids would be listed forever.
    if (purgedCount === 0) return purged
    purged += purgedCount
  }
}
