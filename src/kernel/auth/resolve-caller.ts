import { Refusal } from '../errors/refusal.ts'
import { assertPrintableKeys } from './assert-printable-keys.ts'
import type { Principal } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { outOfScope } from './permission.ts'

/** What a request says of itself, each part as it was sent. */
export interface Said {
  readonly body: unknown
  readonly query: unknown
  /** What stood in the path. */
  readonly params?: unknown
  readonly headers: Readonly<Record<string, unknown>>
  readonly requestId: string
}

const actorTypes = ['operator', 'pipeline', 'harness', 'sdk', 'daemon', 'agent']
const agentName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** For which agent the principal asks: the body counts before the query, the header, the session key and the path. */
export function resolveCaller(principal: Principal, said: Said, configured = ''): Caller {
  const { claims, role, permissions, scope } = principal
  assertPrintableKeys([said.body, said.query, said.params, said.headers])
  const session = findSessionKey(said)
  const named =
    find([said.body, said.query], ['agentId', 'agent_id']) ??
    find([said.headers], ['x-svc-agent-id']) ??
    findAgentIn(session) ??
    findAgentIn(find([said.params], ['key', 'sessionKey']))
  const agentId = named ?? claims?.scope.agent ?? (configured || 'default')
  if (!agentName.test(agentId)) throw unnameable()
  if (scope.agent !== undefined && scope.agent !== agentId) throw outOfScope('agent', scope.agent)
  return {
    role,
    permissions,
    scope,
    agentId,
    requestId: said.requestId,
    ...(claims ? { name: claims.sub, actorType: claims.role } : findActor(said)),
    sessionKey: session ?? null,
    sessionId: find([said.headers], ['x-svc-session-id']) ?? null,
  }
}

function findSessionKey({ body, query, headers }: Said): string | undefined {
  return (
    find([body, query], ['sessionKey', 'session_key']) ?? find([headers], ['x-svc-session-key'])
  )
}

/** `agent:ada:main` is a session of ada's. */
function findAgentIn(sessionKey: string | undefined): string | undefined {
  return /^(?:session:\s*)?agent:(?<id>[^:]+):/.exec(sessionKey ?? '')?.groups?.['id']
}

function findActor({ body, headers }: Said) {
  const type = find([headers], ['x-svc-actor-type']) ?? ''
  return {
    name: find([headers], ['x-svc-actor']) ?? find([body], ['changed_by']) ?? 'daemon',
    actorType: actorTypes.includes(type) ? type : 'operator',
  }
}

/** The first of these names that holds a text with anything in it. */
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
  return new Refusal('invalid', 'invalid_request', message)
}
