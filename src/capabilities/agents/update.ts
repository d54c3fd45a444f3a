import type { Caller } from '../../kernel/auth/caller.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type Agent, assertMayChangePolicy, type ReadPolicy } from './agent.ts'
import type { AgentsNeeds } from './needs.ts'
import { readAgent } from './read.ts'
import { updatePolicy } from './store.ts'

export interface UpdateAgent {
  readonly name: string
  readonly readPolicy?: ReadPolicy | undefined
  /** Null leaves the group. */
  readonly policyGroup?: string | null | undefined
}

/** Absent fields stay unchanged. */
export async function updateAgent(
  needs: AgentsNeeds,
  caller: Caller,
  { name, readPolicy, policyGroup }: UpdateAgent,
): Promise<Agent> {
  assertMayChangePolicy(caller)
  return transaction(needs.db, async (db) => {
    const agent = await readAgent({ ...needs, db }, caller, { name })
    const updated = {
      ...agent,
      readPolicy: readPolicy ?? agent.readPolicy,
      policyGroup: policyGroup === undefined ? agent.policyGroup : policyGroup,
      updatedAt: needs.host.now().toISOString(),
    }
    if (updated.readPolicy === 'group' && updated.policyGroup === null)
      throw new Refusal(
        'invalid',
        'invalid_request',
        'policy_group is required for the read policy group',
      )
    await updatePolicy(db, updated)
    needs.reachCache.invalidate(db)
    return updated
  })
}
