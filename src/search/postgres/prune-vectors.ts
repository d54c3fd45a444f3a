import { transaction } from '../../kernel/db/transaction.ts'
import type { Index } from './catch-up.ts'
import { readIdentities } from './store/feeds.ts'
import { lockIndex } from './store/state.ts'
import { buildVectorIndexes, dropOtherIndexes } from './store/vector-index.ts'
import { deleteOtherVectors } from './store/vectors.ts'

/** So many vectors are compared one by one in some milliseconds. */
const defaultThreshold = 5000

/** Looked at again when there are so many times as many vectors. */
const growth = 1.1

interface PruneOptions extends Index {
  /** From how many vectors on they are indexed. */
  readonly vectorIndexThreshold?: number | undefined
}

/** What is done to vectors now and then: those of models that are gone go, and many are indexed. */
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
