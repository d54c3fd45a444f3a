import type { Db } from '../../../kernel/db/database.ts'
import { afterCommit } from '../../../kernel/db/transaction.ts'
import { hasEntities, isShared } from '../store/entities.ts'

/** Caches which agents have no entity, so that a recall sends no statement to an empty graph. */
export interface EmptyGraphs {
  has(agentId: string): Promise<boolean>
  /** Forgets the agent after the commit of a write to its graph. */
  invalidate(db: Db, agentId: string): void
}

const maxEntries = 1_000

export function createEmptyGraphs(db: Db): EmptyGraphs {
  const empty = new Set<string>()
  // A read that began before a change is not cached after it.
  let changes = 0
  const isSharedDb = isShared(db)
  return {
    has: async (agentId) => {
      if (isSharedDb || empty.has(agentId)) return !isSharedDb
      const changesBefore = changes
      if (await hasEntities(db, agentId)) return false
      if (empty.size >= maxEntries) empty.clear()
      if (changes === changesBefore) empty.add(agentId)
      return true
    },
    invalidate: (own, agentId) =>
      afterCommit(own, () => {
        changes += 1
        empty.delete(agentId)
      }),
  }
}
