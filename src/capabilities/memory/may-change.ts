import type { Caller } from '../../kernel/auth/caller.ts'
import { outOfScope } from '../../kernel/auth/permission.ts'
import type { Memory } from './memory.ts'

/** Of what it may read, an agent changes only its own; people may change all of it. */
export function refuseForeign({ role, agentId }: Caller, memory: Memory): void {
  if (role !== 'agent' || memory.agentId === agentId) return
  throw outOfScope('agent', agentId)
}
