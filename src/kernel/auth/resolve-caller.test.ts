import { expect, test } from 'vitest'
import type { Principal } from './authenticate.ts'
import type { Role, Scope } from './caller.ts'
import { resolveCaller, type Said } from './resolve-caller.ts'

const trusted: Principal = { role: 'admin', scope: {}, claims: null, refusal: null, subject: '::1' }
const said = (parts: Partial<Said>): Said => ({
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

test.each<[string, string, Partial<Said>]>([
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
  ['header, not the path', 'e', { headers, params: { sessionKey: 'agent:i:1' } }],
  ['session key that names nobody', 'hal', { headers: { 'x-svc-session-key': 'cli:1' } }],
  ['configuration', 'hal', { body: null }],
])('the agent is found in: %s', (_, agentId, parts) => {
  expect(resolveCaller(trusted, said(parts), 'hal').agentId).toBe(agentId)
})

test('the claim of a token comes before the configuration, and default is the last', () => {
  const token = holder('agent', { agent: 'scoped' })

  expect(resolveCaller(token, said({}), 'hal').agentId).toBe('scoped')
  expect(resolveCaller(trusted, said({})).agentId).toBe('default')
})

test.each<[string, Partial<Said>]>([
  ['body', { body: { agentId: 'other' } }],
  ['query', { query: { agent_id: 'other' } }],
  ['header', { headers: { 'x-svc-agent-id': 'other' } }],
  ['session key', { headers: { 'x-svc-session-key': 'agent:other:1' } }],
])(
  'a token confined to an agent reaches no other through the %s; an administrator does',
  (_, parts) => {
    const scope = { agent: 'own' }

    expect(() => resolveCaller(holder('operator', scope), said(parts))).toThrow(
      "scope restricted to agent 'own'",
    )
    expect(resolveCaller(holder('admin', scope), said(parts)).agentId).toBe('other')
  },
)

test.each(['../up', '-a', 'a b', 'é', 'x'.repeat(65)])('%s is no name of an agent', (agentId) => {
  expect(() => resolveCaller(trusted, said({ query: { agentId } }))).toThrow('agent_id must be')
})

test.each<[string, string, Partial<Said>]>([
  ['ada', 'sdk', { headers: { 'x-svc-actor': 'ada', 'x-svc-actor-type': 'sdk' } }],
  ['ada', 'operator', { headers: { 'x-svc-actor': 'ada', 'x-svc-actor-type': 'root' } }],
  ['bob', 'operator', { body: { changed_by: 'bob' } }],
  ['daemon', 'operator', {}],
])('without a token the writer is %s, of the kind %s', (name, actorType, parts) => {
  expect(resolveCaller(trusted, said(parts))).toMatchObject({ name, actorType })
})

test('with a token the writer is its subject, whatever else is said', () => {
  const headers = { 'x-svc-actor': 'eve', 'x-svc-actor-type': 'daemon' }

  expect(
    resolveCaller(holder('agent', {}), said({ headers, body: { changed_by: 'eve' } })),
  ).toMatchObject({ name: 'ada', actorType: 'agent' })
})

test.each<[string, Partial<Said>]>([
  ['sessionKey', { body: { sessionKey: 'a\u001Bb' } }],
  ['session_key', { query: { session_key: 'a\u009Bb' } }],
  ['x-svc-session-key', { headers: { 'x-svc-session-key': 'a\tb' } }],
  ['key', { params: { key: 'a\u0000b' } }],
  ['harness', { body: { harness: 'co\u0007dex' } }],
  ['project', { body: { project: '/a\nb' } }],
  ['sessionKey', { body: { sessionKey: 'a\u202Eb' } }],
  ['sessionKey', { body: { sessionKey: 'a\u2066b' } }],
  ['harness', { body: { harness: 'co\u200Bdex' } }],
  ['project', { body: { project: '/a\u{E0041}b' } }],
])('a control or invisible character in %s is refused, but not around it', (name, parts) => {
  const message = `${name} must not contain control characters or invisible characters`

  expect(() => resolveCaller(trusted, said(parts))).toThrow(message)
  const trimmed = { body: { [name]: ' /a\n', content: 'a\u001Bb' } }
  expect(resolveCaller(trusted, said(trimmed)).agentId).toBe('default')
})
