import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import type { Host } from '../../kernel/host/host.ts'

/** Whose memories an agent may read. */
export type Reach = Pick<ReadScope, 'policy' | 'groupAgents'>

/** Every read asks for a reach, so it is kept: for a while, and until the next change made here. */
export interface Reaches {
  /** `read` gives undefined for an agent nobody has heard of; that is not kept. */
  of(agentId: string, read: () => Promise<Reach | undefined>): Promise<Reach | undefined>
  /** Called after each change of an agent, inside its transaction where it has one. */
  forget(db: Db): void
}

/** How long a policy may be out of date that another daemon has changed in the same database. */
const keptMs = 30_000
const keptAtMost = 1_000

export function createReaches({ now }: Pick<Host, 'now'>): Reaches {
  const kept = new Map<string, { readonly reach: Reach; readonly until: number }>()
  // What was read before a change is not kept after it.
  let changes = 0
  return {
    of: async (agentId, read) => {
      const known = kept.get(agentId)
      if (known && now().getTime() < known.until) return known.reach
      const before = changes
      const reach = await read()
      if (kept.size >= keptAtMost) kept.clear()
      if (reach && changes === before) kept.set(agentId, { reach, until: now().getTime() + keptMs })
      return reach
    },
    forget: (db) =>
      afterCommit(db, () => {
        changes += 1
        kept.clear()
      }),
  }
}
