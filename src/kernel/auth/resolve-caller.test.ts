import { expect, test } from 'vitest'
import type { Principal } from './authenticate.ts'
import type { Role, Scope } from './caller.ts'
import { type RequestParts, resolveCaller } from './resolve-caller.ts'

const trusted: Principal = { role: 'admin', scope: {}, claims: null, refusal: null, subject: '::1' }
const requestWith = (parts: Partial<RequestParts>): RequestParts => ({
  body: undefined,
  query: {},
  headers: {},
  requestId: 'r',
  ...parts,
})
const holder = (role: Role, scope: Scope): Principal => ({
  role,
  refusal: null,
  subject: 'ada',
  scope: role === 'admin' ? {} : scope,
  claims: { sub: 'ada', role, scope, iat: 0, exp: 1 },
})

const body = { agentId: 'a', agent_id: 'b', sessionKey: 'agent:g:1' }
const query = { agentId: 'c', agent_id: 'd', session_key: 'agent:h:1' }
const headers = { 'x-svc-agent-id': 'e', 'x-svc-session-key': 'agent:f:1' }

test.each<[string, string, Partial<RequestParts>]>([
  ['body agentId', 'a', { body, query, headers }],
  ['body agent_id', 'b', { body: { ...body, agentId: ' ' }, query, headers }],
  ['query agentId', 'c', { body: { agentId: 7 }, query, headers }],
  ['query agent_id', 'd', { query: { ...query, agentId: '' }, headers }],
  ['header', 'e', { query: { agentId: ['x', 'y'] }, headers }],
  [
    'session key of the body',
    'g',
    { body: { sessionKey: 'agent:g:1' }, query: { session_key: 'agent:h:1' } },
  ],
  ['session key of the query', 'h', { query: { session_key: 'agent:h:1' } }],
  ['session key of the header', 'f', { headers: { 'x-svc-session-key': 'agent:f:1' } }],
  ['session key with a prefix', 'g', { body: { sessionKey: ' session:agent:g:1' } }],
  [
    'session key of the path',
    'i',
    { headers: { 'x-svc-session-key': 'cli:1' }, params: { key: 'agent:i:1' } },
  ],
  ['current session of a search', 'g', { body: { currentSessionKey: 'agent:g:subagent:1' } }],
  ['header, not the path', 'e', { headers, params: { sessionKey: 'agent:i:1' } }],
  ['session key without an agent', 'hal', { headers: { 'x-svc-session-key': 'cli:1' } }],
  ['configuration', 'hal', { body: null }],
])('reads the agent from: %s', (_, agentId, parts) => {
  expect(resolveCaller(trusted, requestWith(parts), 'hal').agentId).toBe(agentId)
})

test("a token's agent claim precedes the configuration, and `default` is the last resort", () => {
  const token = holder('agent', { agent: 'scoped' })

  expect(resolveCaller(token, requestWith({}), 'hal').agentId).toBe('scoped')
  expect(resolveCaller(trusted, requestWith({})).agentId).toBe('default')
})

test.each<[string, Partial<RequestParts>]>([
  ['body', { body: { agentId: 'other' } }],
  ['query', { query: { agent_id: 'other' } }],
  ['header', { headers: { 'x-svc-agent-id': 'other' } }],
  ['session key', { headers: { 'x-svc-session-key': 'agent:other:1' } }],
])(
  'a token scoped to an agent cannot select another one through the %s; an administrator can',
  (_, parts) => {
    const scope = { agent: 'own' }

    expect(() => resolveCaller(holder('operator', scope), requestWith(parts))).toThrow(
      "scope restricted to agent 'own'",
    )
    expect(resolveCaller(holder('admin', scope), requestWith(parts)).agentId).toBe('other')
  },
)

test.each(['../up', '-a', 'a b', 'é', 'x'.repeat(65)])('rejects the agent name %s', (agentId) => {
  expect(() => resolveCaller(trusted, requestWith({ query: { agentId } }))).toThrow(
    'agent_id must be',
  )
})

test.each(['body', 'query'])('a long agent name in the %s is too large', (place) => {
  expect(() =>
    resolveCaller(trusted, requestWith({ [place]: { agentId: 'x'.repeat(161) } })),
  ).toThrow(expect.objectContaining({ kind: 'too_large', code: 'field_too_long' }))
})

test.each<[string, string, Partial<RequestParts>]>([
  ['ada', 'sdk', { headers: { 'x-svc-actor': 'ada', 'x-svc-actor-type': 'sdk' } }],
  ['ada', 'operator', { headers: { 'x-svc-actor': 'ada', 'x-svc-actor-type': 'root' } }],
  ['bob', 'operator', { body: { changed_by: 'bob' } }],
  ['daemon', 'operator', {}],
])('without a token the author is %s with the type %s', (name, actorType, parts) => {
  expect(resolveCaller(trusted, requestWith(parts))).toMatchObject({ name, actorType })
})

test('with a token the author is its subject, whatever the request names', () => {
  const headers = { 'x-svc-actor': 'eve', 'x-svc-actor-type': 'daemon' }

  expect(
    resolveCaller(holder('agent', {}), requestWith({ headers, body: { changed_by: 'eve' } })),
  ).toMatchObject({ name: 'ada', actorType: 'agent' })
})

test.each<[string, Partial<RequestParts>]>([
  ['sessionKey', { body: { sessionKey: 'a\u001Bb' } }],
  ['session_key', { query: { session_key: 'a\u009Bb' } }],
  ['x-svc-session-key', { headers: { 'x-svc-session-key': 'a\tb' } }],
  ['key', { params: { key: 'a\u0001b' } }],
  ['harness', { body: { harness: 'co\u0007dex' } }],
  ['project', { body: { project: '/a\nb' } }],
  ['sessionKey', { body: { sessionKey: 'a\u202Eb' } }],
  ['sessionKey', { body: { sessionKey: 'a\u2066b' } }],
  ['harness', { body: { harness: 'co\u200Bdex' } }],
  ['project', { body: { project: '/a\u{E0041}b' } }],
])(
  'refuses control and invisible characters inside %s, but trims them at its ends',
  (name, parts) => {
    const message = `${name} must not contain control characters or invisible characters`

    expect(() => resolveCaller(trusted, requestWith(parts))).toThrow(message)
    const trimmed = { body: { [name]: ' /a\n', content: 'a\u001Bb' } }
    expect(resolveCaller(trusted, requestWith(trimmed)).agentId).toBe('default')
  },
)

test('names NUL in a project', () => {
  const send = () => resolveCaller(trusted, requestWith({ body: { project: 'a\0b' } }))
  expect(send).toThrow('project must not contain NUL')
})
