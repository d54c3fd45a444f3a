import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { DatabaseConflict } from '../../kernel/db/database-error.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import {
  type Agent,
  assertAgentInScope,
  assertMayChangePolicy,
  defaultAgent,
  type ReadPolicy,
} from './agent.ts'
import type { AgentsNeeds, AgentsOptions } from './needs.ts'
import type { CreateBody } from './schemas.ts'
import {
  deleteAgent,
  findAgent,
  insertAgent,
  insertIfAbsent,
  insertIfAbsentQuery,
  insertOrTouch,
  updatePolicy,
} from './store.ts'

/** An existing agent receives the new policy. */
export async function createAgent(
  needs: AgentsNeeds,
  caller: Caller,
  { name, ...policy }: CreateBody,
): Promise<{ readonly agent: Agent; readonly created: boolean }> {
  const now = needs.host.now().toISOString()
  const agent = { id: name, ...policy, createdAt: now, updatedAt: now }
  try {
    await insertAgent(needs.db, agent)
    needs.reachCache.invalidate(needs.db)
    return { agent, created: true }
  } catch (error) {
    if (!(error instanceof DatabaseConflict)) throw error
    assertMayChangePolicy(caller)
    await updatePolicy(needs.db, agent)
    needs.reachCache.invalidate(needs.db)
    return { agent: await readAgent(needs, caller, { name }), created: false }
  }
}

export async function readAgent(
  { db }: AgentsOptions,
  caller: Caller,
  { name }: { readonly name: string },
): Promise<Agent> {
  assertAgentInScope(caller, name)
  const agent = await findAgent(db, name)
  if (!agent) throw new Refusal('not_found', 'not_found', 'Agent not found')
  return agent
}

interface UpdateAgent {
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

interface RemoveAgent {
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

export type AgentRegistration = Pick<Caller, 'agentId' | 'scope'>

/** Registers an agent within the caller's transaction. */
export async function registerAgent(
  needs: Pick<AgentsOptions, 'host'>,
  db: Db,
  caller: AgentRegistration,
): Promise<void> {
  await insertIfAbsent(db, newAgent(needs, caller))
}

/** Registers an agent or updates its `updated_at`; its policy stays. */
export async function registerOrTouchAgent(
  needs: Pick<AgentsOptions, 'host'>,
  db: Db,
  caller: AgentRegistration,
): Promise<void> {
  await insertOrTouch(db, newAgent(needs, caller))
}

/** The query of `registerAgent`, for a batch. */
export function registerAgentQuery(
  needs: Pick<AgentsOptions, 'host'>,
  db: Db,
  caller: AgentRegistration,
) {
  return insertIfAbsentQuery(db, newAgent(needs, caller))
}

/** A scoped token registers an isolated agent, so that it cannot widen its own access. */
function newAgent(
  { host }: Pick<AgentsOptions, 'host'>,
  { agentId: id, scope }: AgentRegistration,
): Agent {
  const now = host.now().toISOString()
  const isScoped = scope.project !== undefined || scope.agent !== undefined
  const readPolicy = isScoped ? 'isolated' : 'shared'
  return { id, readPolicy, policyGroup: null, createdAt: now, updatedAt: now }
}
