import type { Db } from '../../../kernel/db/database.ts'
import { afterCommit } from '../../../kernel/db/transaction.ts'
import { hasEntities, isShared } from '../store/entities.ts'

/** Caches which agents have no entity, so that a recall sends no statement to an empty graph. */
export interface EmptyGraphs {
  has(agentId: string): Promise<boolean>
  /** Forgets after the commit of a write that the graph of the agent was empty. */
  invalidate(db: Db, agentId: string): void
}

const maxEntries = 1_000

export function createEmptyGraphs(db: Db): EmptyGraphs {
  const isEmpty = new Map<string, boolean>()
  // A read that began before a change is not cached after it.
  let changes = 0
  const isSharedDb = isShared(db)
  return {
    has: async (agentId) => {
      if (isSharedDb) return false
      const cached = isEmpty.get(agentId)
      if (cached !== undefined) return cached
      const changesBefore = changes
      const result = !(await hasEntities(db, agentId))
      if (isEmpty.size >= maxEntries) isEmpty.clear()
      // A graph that becomes empty may count as filled: that costs statements, and hides nothing.
      if (!result || changes === changesBefore) isEmpty.set(agentId, result)
      return result
    },
    invalidate: (own, agentId) =>
      afterCommit(own, () => {
        changes += 1
        if (isEmpty.get(agentId)) isEmpty.delete(agentId)
      }),
  }
}
