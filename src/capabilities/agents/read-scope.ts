import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import type { Host } from '../../kernel/host/host.ts'
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
  const { readPolicy: policy, policyGroup } = agent
  if (policy !== 'group') return { policy, groupAgents: [] }
  return policyGroup === null ? isolated : { policy, groupAgents: await listGroup(db, policyGroup) }
}

/** The agents whose memories an agent may read. */
export type Reach = Pick<ReadScope, 'policy' | 'groupAgents'>

/** Caches reaches, which every read needs, with a TTL and invalidation by local changes. */
export interface ReachCache {
  /** `read` returns undefined for an unknown agent; undefined is not cached. */
  get(agentId: string, read: () => Promise<Reach | undefined>): Promise<Reach | undefined>
  /** Clears the cache after the commit of an agent change. */
  invalidate(db: Db): void
}

/** Maximum staleness after another daemon changes the same database. */
const ttlMs = 30_000
const maxEntries = 1_000

export function createReachCache({ now }: Pick<Host, 'now'>): ReachCache {
  const cache = new Map<string, { readonly reach: Reach; readonly until: number }>()
  // A read that began before a change is not cached after it.
  let changes = 0
  return {
    get: async (agentId, read) => {
      const cached = cache.get(agentId)
      if (cached && now().getTime() < cached.until) return cached.reach
      const changesBefore = changes
      const reach = await read()
      if (cache.size >= maxEntries) cache.clear()
      if (reach && changes === changesBefore)
        cache.set(agentId, { reach, until: now().getTime() + ttlMs })
      return reach
    },
    invalidate: (db) =>
      afterCommit(db, () => {
        changes += 1
        cache.clear()
      }),
  }
}
