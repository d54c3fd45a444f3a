import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { readPolicyOf } from './agent.ts'
import type { Reach, ReachCache } from './reach-cache.ts'
import { findAgent, listGroup } from './store.ts'

const isolated: Reach = { policy: 'isolated', groupAgents: [] }

/** The read scope of a caller; local policy changes take effect immediately. */
export async function readScopeOf(
  { reachCache }: { readonly reachCache: ReachCache },
  db: Db,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
): Promise<ReadScope> {
  const read = () => findReach(db, agentId)
  // A transaction may roll back, so its reads bypass the cache.
  const reach = await (db.isTransaction ? read() : reachCache.get(agentId, read))
  return { ...(reach ?? isolated), agentId, project: scope.project ?? null }
}

async function findReach(db: Db, agentId: string): Promise<Reach | undefined> {
  const agent = await findAgent(db, agentId)
  if (!agent) return undefined
  const policy = readPolicyOf(agent)
  const group = policy === 'group' ? agent.policyGroup : null
  return { policy, groupAgents: group === null ? [] : await listGroup(db, group) }
}
