import { invalidRequest, Refusal } from '../errors/refusal.ts'
import { assertPrintableKeys } from './assert-printable-keys.ts'
import type { Principal } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { outOfScope } from './permission.ts'

/** The parts of a request that may identify its caller. */
export interface RequestParts {
  readonly body: unknown
  readonly query: unknown
  /** Path parameters. */
  readonly params?: unknown
  readonly headers: Readonly<Record<string, unknown>>
  readonly requestId: string
}

const actorTypes = ['operator', 'pipeline', 'harness', 'sdk', 'daemon', 'agent']
/** A longer `agentId` of a body or query is refused as too large. */
const maxAgentIdLength = 160
const agentName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * Resolves the agent of a call. Precedence: body, query, header, session key, path, token, current
 * session, configuration.
 */
export function resolveCaller(
  principal: Principal,
  request: RequestParts,
  configured = '',
): Caller {
  const { claims, role, permissions, scope } = principal
  assertPrintableKeys([request.body, request.query, request.params, request.headers])
  const session = findSessionKey(request)
  const named =
    findAgentField(request) ??
    find([request.headers], ['x-svc-agent-id']) ??
    findAgentIn(session) ??
    findAgentIn(find([request.params], ['key', 'sessionKey']))
  const agentId =
    named ?? claims?.scope.agent ?? findCurrentAgent(request) ?? (configured || 'default')
  if (!agentName.test(agentId)) throw unnameable()
  if (scope.agent !== undefined && scope.agent !== agentId) throw outOfScope('agent', scope.agent)
  return {
    role,
    permissions,
    scope,
    agentId,
    requestId: request.requestId,
    ...(claims ? { name: claims.sub, actorType: claims.role } : findActor(request)),
    sessionKey: session ?? null,
    sessionId: find([request.headers], ['x-svc-session-id']) ?? null,
  }
}

function findAgentField({ body, query }: RequestParts): string | undefined {
  const agentId = find([body, query], ['agentId', 'agent_id'])
  if (agentId === undefined || agentId.length <= maxAgentIdLength) return agentId
  const message = `agent_id has ${agentId.length} characters. Use at most 64.`
  throw new Refusal('too_large', 'field_too_long', message)
}

function findSessionKey({ body, query, headers }: RequestParts): string | undefined {
  return (
    find([body, query], ['sessionKey', 'session_key']) ?? find([headers], ['x-svc-session-key'])
  )
}

/** `agent:ada:main` is a session of the agent `ada`. */
function findAgentIn(sessionKey: string | undefined): string | undefined {
  return /^(?:session:\s*)?agent:(?<id>[^:]+):/.exec(sessionKey ?? '')?.groups?.['id']
}

/** A search names the session that it excludes, which is one of the caller's agent. */
function findCurrentAgent({ body }: RequestParts): string | undefined {
  return findAgentIn(find([body], ['currentSessionKey', 'current_session_key']))
}

function findActor({ body, headers }: RequestParts) {
  const type = find([headers], ['x-svc-actor-type']) ?? ''
  return {
    name: find([headers], ['x-svc-actor']) ?? find([body], ['changed_by']) ?? 'daemon',
    actorType: actorTypes.includes(type) ? type : 'operator',
  }
}

/** Returns the first text under these names that is not blank. */
function find(places: readonly unknown[], names: readonly string[]): string | undefined {
  for (const place of places)
    for (const name of names) {
      const value = isRecord(place) ? place[name] : undefined
      const text = typeof value === 'string' ? value.trim() : ''
      if (text) return text
    }
  return undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function unnameable(): Refusal {
  const message = 'agent_id must be 1 to 64 letters, digits, . _ or -, and begin with neither sign'
  return invalidRequest(message)
}
