import { transaction } from '../../kernel/db/transaction.ts'
import type { Index } from './catch-up.ts'
import { readIdentities } from './store/feeds.ts'
import { lockIndex } from './store/state.ts'
import { buildVectorIndexes, dropOtherIndexes } from './store/vector-index.ts'
import { deleteOtherVectors } from './store/vectors.ts'

/** An exact scan of this many vectors takes milliseconds. */
const defaultThreshold = 5000

/** Checked again after this growth of the vector count. */
const growth = 1.1

interface PruneOptions extends Index {
  /** Vectors are indexed from this count on. */
  readonly vectorIndexThreshold?: number | undefined
}

/** Deletes vectors of removed models and builds vector indexes. */
export function createVectorPruning({
  db,
  feeds,
  vectorIndexThreshold = defaultThreshold,
}: PruneOptions) {
  const last: { identities?: string; vectorCount: number } = { vectorCount: 0 }
  return async (vectorCount: number, signal: AbortSignal): Promise<void> => {
    const identities = await readIdentities(db, feeds)
    if (identities.join() !== last.identities) {
      await transaction(db, async (db) => {
        await lockIndex(db)
        await deleteOtherVectors(db, identities)
        await dropOtherIndexes(db, identities)
      })
      last.identities = identities.join()
      last.vectorCount = 0
    }
    if (vectorCount < vectorIndexThreshold || vectorCount < growth * last.vectorCount) return
    await buildVectorIndexes(db, { from: vectorIndexThreshold, signal })
    last.vectorCount = vectorCount
  }
}
