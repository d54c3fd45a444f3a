import type { Caller } from '../../kernel/auth/caller.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type Agent, type ReadPolicy, refuseOwnPolicy } from './agent.ts'
import type { InnerNeeds } from './needs.ts'
import { readAgent } from './read.ts'
import { updatePolicy } from './store.ts'

export interface UpdateAgent {
  readonly name: string
  readonly readPolicy?: ReadPolicy | undefined
  /** Null leaves the group. */
  readonly policyGroup?: string | null | undefined
}

/** What is not named stays as it is. */
export async function updateAgent(
  needs: InnerNeeds,
  caller: Caller,
  { name, readPolicy, policyGroup }: UpdateAgent,
): Promise<Agent> {
  refuseOwnPolicy(caller)
  return transaction(needs.db, async (db) => {
    const agent = await readAgent({ ...needs, db }, caller, { name })
    const changed = {
      ...agent,
      readPolicy: readPolicy ?? agent.readPolicy,
      policyGroup: policyGroup === undefined ? agent.policyGroup : policyGroup,
      updatedAt: needs.host.now().toISOString(),
    }
    if (changed.readPolicy === 'group' && changed.policyGroup === null)
      throw new Refusal(
        'invalid',
        'invalid_request',
        'policy_group is required for the read policy group',
      )
    await updatePolicy(db, changed)
    needs.reaches.forget(db)
    return changed
  })
}
