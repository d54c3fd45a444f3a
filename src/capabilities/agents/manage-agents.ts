import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { outOfScope } from '../../kernel/auth/permission.ts'
import { DatabaseConflict } from '../../kernel/db/database-error.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { invalidRequest, notFound, Refusal } from '../../kernel/errors/refusal.ts'
import { type Agent, assertMayChangePolicy, defaultAgent } from './agent.ts'
import type { AgentsNeeds, AgentsOptions } from './needs.ts'
import type { byName, createBody, removeQuery, updateBody } from './schemas.ts'
import { deleteAgent, findAgent, insertAgent, updatePolicy } from './store.ts'

type AgentName = z.output<typeof byName>

/** An existing agent receives the new policy. */
export async function createAgent(
  needs: AgentsNeeds,
  caller: Caller,
  { name, ...policy }: z.output<typeof createBody>,
) {
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
  { name }: AgentName,
): Promise<Agent> {
  const { agent: only } = caller.scope
  if (only !== undefined && only !== name) throw outOfScope('agent', only)
  const agent = await findAgent(db, name)
  if (!agent) throw notFound('Agent not found')
  return agent
}

/** Absent fields do not change. */
export async function updateAgent(
  needs: AgentsNeeds,
  caller: Caller,
  { name, readPolicy, policyGroup }: AgentName & Partial<z.output<typeof updateBody>>,
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
      throw invalidRequest('policy_group is required for the read policy group')
    await updatePolicy(db, updated)
    needs.reachCache.invalidate(db)
    return updated
  })
}

/** Removes the agent and its data in one transaction. */
export async function removeAgent(
  needs: AgentsNeeds,
  caller: Caller,
  { name, purge }: AgentName & z.output<typeof removeQuery>,
) {
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
  return { success: true as const, purged: purge }
}
