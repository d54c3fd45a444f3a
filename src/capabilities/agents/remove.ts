import type { Caller } from '../../kernel/auth/caller.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { defaultAgent } from './agent.ts'
import type { AgentsNeeds } from './needs.ts'
import { readAgent } from './read.ts'
import { deleteAgent } from './store.ts'

export interface RemoveAgent {
  readonly name: string
  /** Purge the agent's data instead of archiving it. */
  readonly purge: boolean
}

/** Removes the agent and its data in one transaction. */
export async function removeAgent(
  needs: AgentsNeeds,
  caller: Caller,
  { name, purge }: RemoveAgent,
): Promise<{ readonly success: true; readonly purged: boolean }> {
  if (name === defaultAgent)
    throw new Refusal('invalid', 'default_agent', 'Cannot remove the default agent')
  await transaction(needs.db, async (db) => {
    await readAgent({ ...needs, db }, caller, { name })
    // Dependents come first; they are registered last.
    for (const removal of needs.removals.list().toReversed())
      await (purge ? removal.purge(db, name) : removal.archive(db, name))
    await deleteAgent(db, name)
    needs.reachCache.invalidate(db)
  })
  return { success: true, purged: purge }
}
