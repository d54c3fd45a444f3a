import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Memory } from './memory.ts'

/** Of what it may read, an agent changes only its own; people may change all of it. */
export function refuseForeign({ role, agentId }: Caller, memory: Memory): void {
  if (role !== 'agent' || memory.agentId === agentId) return
  throw new Refusal('forbidden', 'out_of_scope', `scope restricted to agent '${agentId}'`)
}

/** A token of one project writes there alone. */
export function refuseOutsideProject({ scope }: Caller, project: string | null): void {
  if (scope.project === undefined || scope.project === project) return
  throw new Refusal('forbidden', 'out_of_scope', `scope restricted to project '${scope.project}'`)
}
