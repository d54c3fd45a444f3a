import { transaction } from '../../kernel/db/transaction.ts'
import type { Index } from './catch-up.ts'
import { readIdentities } from './store/feeds.ts'
import { awaitTurn } from './store/state.ts'
import { buildNearIndexes, dropOtherIndexes } from './store/vector-index.ts'
import { deleteOtherVectors } from './store/vectors.ts'

/** So many vectors are compared one by one in some milliseconds. */
const usualFrom = 5000

/** Looked at again when there are so many times as many vectors. */
const growth = 1.1

interface Tidying extends Index {
  /** From how many vectors on they are indexed. */
  readonly indexedFrom?: number | undefined
}

/** What is done to vectors now and then: those of models that are gone go, and many are indexed. */
export function createTidying({ db, feeds, indexedFrom = usualFrom }: Tidying) {
  const done: { identities?: string; held: number } = { held: 0 }
  return async (held: number, signal: AbortSignal): Promise<void> => {
    const identities = await readIdentities(db, feeds)
    if (identities.join() !== done.identities) {
      await transaction(db, async (db) => {
        await awaitTurn(db)
        await deleteOtherVectors(db, identities)
        await dropOtherIndexes(db, identities)
      })
      done.identities = identities.join()
      done.held = 0
    }
    if (held < indexedFrom || held < growth * done.held) return
    await buildNearIndexes(db, { from: indexedFrom, signal })
    done.held = held
  }
}
