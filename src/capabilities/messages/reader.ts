import type { Caller } from '../../kernel/auth/caller.ts'
import type { MessageReader } from './message.ts'
import type { MessagesNeeds } from './needs.ts'

/** What the agent of the caller may read, by its read policy at this moment. */
export async function readerOf(
  { agents, db }: Pick<MessagesNeeds, 'agents' | 'db'>,
  caller: Pick<Caller, 'agentId' | 'scope'>,
): Promise<MessageReader> {
  const { agentId, groupAgents, policy, project } = await agents.readScopeOf(db, caller)
  const senders = { isolated: [], shared: undefined, group: groupAgents }[policy]
  return { agentId, senders, project }
}
