import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { ReadScope } from '../../kernel/db/read-scope.ts'
import { readPolicyOf } from './agent.ts'
import { findAgent, listGroup } from './store.ts'

/** What this caller may read; asked anew for each request, so a changed policy holds at once. */
export async function readScopeOf(db: Db, { agentId, scope }: Caller): Promise<ReadScope> {
  const agent = await findAgent(db, agentId)
  const policy = readPolicyOf(agent)
  const groupAgents =
    policy === 'group' && agent?.policyGroup ? await listGroup(db, agent.policyGroup) : []
  return { agentId, policy, groupAgents, project: scope.project ?? null }
}
