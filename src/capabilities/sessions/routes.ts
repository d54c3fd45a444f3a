import { type Route, route } from '../../kernel/http/route.ts'
import { bypassSession, renewSession } from './enter.ts'
import { listSessions, readSession } from './list.ts'
import type { SessionsNeeds } from './needs.ts'
import { listPresence, recordCallerPresence, removePresence } from './presence.ts'

import * as wire from './schemas.ts'

const badBody = { error: 'invalid request body' }

export function sessionsRoutes(needs: SessionsNeeds): readonly Route[] {
  return [
    route({
      name: 'sessions.list',
      method: 'GET',
      path: '/api/sessions',
      permission: 'recall',
      summary: 'List the live sessions of an agent, the last claimed first.',
      query: wire.agentQuery,
      reply: wire.sessionsReply,
      handle: async ({ caller }) => {
        const sessions = (await listSessions(needs, caller)).map(wire.toSessionReply)
        return { sessions, count: sessions.length }
      },
    }),
    route({
      name: 'sessions.read',
      method: 'GET',
      path: '/api/sessions/:key',
      permission: 'recall',
      summary: 'Read a live session.',
      params: wire.byKey,
      query: wire.agentQuery,
      reply: wire.sessionReply,
      handle: async ({ caller: { agentId }, params: { key: sessionKey } }) =>
        wire.toSessionReply(await readSession(needs, { agentId, sessionKey })),
    }),
    route({
      name: 'sessions.bypass',
      method: 'POST',
      path: '/api/sessions/:key/bypass',
      permission: 'remember',
      summary: 'Switch the hooks of a session off or on.',
      onInvalidBody: badBody,
      params: wire.byKey,
      body: wire.bypassBody,
      reply: wire.bypassReply,
      handle: ({ caller: { agentId }, params: { key: sessionKey }, body: { enabled } }) =>
        bypassSession(needs, { agentId, sessionKey, enabled }),
    }),
    route({
      name: 'sessions.renew',
      method: 'POST',
      path: '/api/sessions/:key/renew',
      permission: 'remember',
      summary: 'Renew the claim of a session.',
      onInvalidBody: badBody,
      params: wire.byKey,
      body: wire.renewBody,
      reply: wire.renewReply,
      handle: ({ caller: { agentId }, params: { key: sessionKey } }) =>
        renewSession(needs, { agentId, sessionKey }),
    }),
    route({
      name: 'sessions.presence',
      method: 'GET',
      path: '/api/cross-agent/presence',
      permission: 'recall',
      summary: 'List the sessions of other agents that the caller may read.',
      query: wire.presenceQuery,
      reply: wire.presencesReply,
      handle: async ({ caller, query }) => {
        const sessions = await listPresence(needs, caller, query)
        return { sessions, count: sessions.length }
      },
    }),
    route({
      name: 'sessions.appear',
      method: 'POST',
      path: '/api/cross-agent/presence',
      permission: 'remember',
      summary: 'Announce a session to other agents.',
      onInvalidBody: badBody,
      body: wire.presenceBody,
      reply: wire.presenceReply,
      handle: async ({ caller, body }) => ({
        presence: await recordCallerPresence(needs, caller, body),
      }),
    }),
    route({
      name: 'sessions.disappear',
      method: 'DELETE',
      path: '/api/cross-agent/presence/:sessionKey',
      permission: 'remember',
      summary: 'Remove an announced session.',
      params: wire.bySessionKey,
      query: wire.agentQuery,
      reply: wire.removedReply,
      handle: ({ caller: { agentId }, params: { sessionKey } }) =>
        removePresence(needs, { agentId, sessionKey }),
    }),
  ]
}
