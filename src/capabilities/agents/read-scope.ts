import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { readPolicyOf } from './agent.ts'
import type { Reach, Reaches } from './reaches.ts'
import { findAgent, listGroup } from './store.ts'

const isolated: Reach = { policy: 'isolated', groupAgents: [] }

/** What this caller may read; a policy that was changed here holds at once. */
export async function readScopeOf(
  { reaches }: { readonly reaches: Reaches },
  db: Db,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
): Promise<ReadScope> {
  const read = () => findReach(db, agentId)
  // What a transaction sees may still be undone.
  const reach = await (db.isTransaction ? read() : reaches.of(agentId, read))
  return { ...(reach ?? isolated), agentId, project: scope.project ?? null }
}

async function findReach(db: Db, agentId: string): Promise<Reach | undefined> {
  const agent = await findAgent(db, agentId)
  if (!agent) return undefined
  const policy = readPolicyOf(agent)
  const group = policy === 'group' ? agent.policyGroup : null
  return { policy, groupAgents: group === null ? [] : await listGroup(db, group) }
}
