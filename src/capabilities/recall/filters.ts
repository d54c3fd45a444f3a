import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { MemoryFilters } from '../memory/index.ts'
import type { RecallRequest } from './schemas.ts'

/** Maps a request to memory filters. */
export function toFilters(caller: Caller, request: RecallRequest): MemoryFilters {
  const { type, who, tags, pinned, importanceMin, since, until, project, scope, within } = request
  return {
    type,
    who,
    tags,
    pinned,
    importanceMin,
    since,
    until,
    project,
    scope,
    agentId: within === 'agent' ? caller.agentId : undefined,
    sessionId: within === 'session' ? requireSession(caller, request) : undefined,
  }
}

/** The session key of the request or of the caller. */
export function sessionKeyOf(caller: Caller, request: RecallRequest): string | undefined {
  return request.sessionKey ?? (caller.sessionKey || undefined)
}

function requireSession(caller: Caller, request: RecallRequest): string {
  const sessionKey = sessionKeyOf(caller, request)
  if (sessionKey !== undefined) return sessionKey
  const message = 'within=session requires session_key'
  throw new Refusal('invalid', 'session_required', message)
}
