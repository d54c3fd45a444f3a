import type { Caller } from '../../kernel/auth/caller.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { defaultAgent } from './agent.ts'
import type { InnerNeeds } from './needs.ts'
import { readAgent } from './read.ts'
import { deleteAgent } from './store.ts'

export interface RemoveAgent {
  readonly name: string
  /** Whether what the agent kept is deleted for good; otherwise it is archived. */
  readonly purge: boolean
}

/** The agent and all that was its own go together, or nothing does. */
export async function removeAgent(
  needs: InnerNeeds,
  caller: Caller,
  { name, purge }: RemoveAgent,
): Promise<{ readonly success: true; readonly purged: boolean }> {
  if (name === defaultAgent)
    throw new Refusal('invalid', 'default_agent', 'Cannot remove the default agent')
  await transaction(needs.db, async (db) => {
    await readAgent({ ...needs, db }, caller, { name })
    // Dependents first: they were registered last.
    for (const removal of needs.removals.list().toReversed())
      await (purge ? removal.purge(db, name) : removal.archive(db, name))
    await deleteAgent(db, name)
    needs.reaches.forget(db)
  })
  return { success: true, purged: purge }
}
