import { transaction } from '../../kernel/db/transaction.ts'
import { purgeSlice, type SweepNeeds } from './sweep.ts'

/** Purges all memories past the recovery window, as the repair does. Returns their number. */
export async function sweepExpired(needs: SweepNeeds): Promise<number> {
  for (let purged = 0; ; ) {
    const slice = await transaction(needs.db, (db) => purgeSlice(needs, db))
    purged += slice.tombstones
    if (!slice.hasMore) return purged
  }
}
