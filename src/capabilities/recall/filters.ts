import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { MemoryFilters } from '../memory/index.ts'
import type { RecallRequest } from './schemas.ts'

/** Which of the memories that the caller may read are to answer. */
export function toFilters(caller: Caller, request: RecallRequest): MemoryFilters {
  const { type, who, tags, pinned, importanceMin, since, until, project, scope, within } = request
  return {
    ...{ type, who, tags, pinned, importanceMin, since, until, project, scope },
    agentId: within === 'agent' ? caller.agentId : undefined,
    sessionId: within === 'session' ? readSession(caller, request) : undefined,
  }
}

/** The session that asks. */
export function sessionKeyOf(caller: Caller, request: RecallRequest): string | undefined {
  return request.sessionKey ?? (caller.sessionKey || undefined)
}

function readSession(caller: Caller, request: RecallRequest): string {
  const sessionKey = sessionKeyOf(caller, request)
  if (sessionKey !== undefined) return sessionKey
  const message = "only a session's memories are asked for: name it in session_key"
  throw new Refusal('invalid', 'session_required', message)
}
