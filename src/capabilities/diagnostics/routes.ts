import { isUnknownRemote } from '../../kernel/auth/authenticate.ts'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { readLastEventId, toServerSentEvents } from '../../kernel/http/stream.ts'
import { logsQuery, logsReply, toLogsReply } from './logs-schemas.ts'
import { type HealthNeeds, readHealth, readLiveness, readReadiness } from './read-health.ts'
import { followLogs, readLogs } from './read-logs.ts'
import { readStatus } from './read-status.ts'
import * as wire from './schemas.ts'
import { statusReply, toStatusReply } from './status-schemas.ts'

export function diagnosticsRoutes(needs: HealthNeeds): readonly Route[] {
  return [
    route({
      name: 'diagnostics.health',
      method: 'GET',
      path: '/health',
      permission: 'open',
      summary: 'How the service is: healthy, degraded or stopping.',
      reply: wire.healthReply,
      handle: async ({ principal }) => {
        const reply = wire.toHealthReply(await readHealth(needs))
        return isUnknownRemote(principal, needs.self.bindHost) ? wire.withoutMachine(reply) : reply
      },
    }),
    route({
      name: 'diagnostics.live',
      method: 'GET',
      path: '/health/live',
      permission: 'open',
      summary: 'Answers as long as the process does; asks nobody else.',
      reply: wire.liveReply,
      handle: async ({ principal }) => {
        const reply = wire.toLiveReply(readLiveness(needs))
        return isUnknownRemote(principal, needs.self.bindHost) ? wire.withoutMachine(reply) : reply
      },
    }),
    route({
      name: 'diagnostics.ready',
      method: 'GET',
      path: '/health/ready',
      permission: 'open',
      summary: 'Whether requests are served; 503 and the reasons when they are not.',
      reply: wire.readyReply,
      otherReplies: { 503: wire.readyReply },
      handle: async () => {
        const readiness = await readReadiness(needs)
        return new Reply(readiness.ready ? 200 : 503, wire.toReadyReply(readiness))
      },
    }),
    route({
      name: 'diagnostics.mode',
      method: 'GET',
      path: '/api/mode',
      permission: 'open',
      summary: 'Whether callers must prove who they are.',
      reply: wire.modeReply,
      handle: async () => ({ mode: needs.self.mode, requiresAuth: needs.self.mode !== 'local' }),
    }),
    route({
      name: 'diagnostics.status',
      method: 'GET',
      path: '/api/status',
      permission: 'diagnostics',
      summary: 'What the service runs with, and how each of its parts is.',
      reply: statusReply,
      handle: async () => toStatusReply(await readStatus(needs)),
    }),
    route({
      name: 'diagnostics.logs',
      method: 'GET',
      path: '/api/logs',
      permission: 'analytics',
      summary: 'What was logged last, the newest last.',
      query: logsQuery,
      reply: logsReply,
      handle: async ({ query }) => toLogsReply(readLogs(needs.entries.recent(), query)),
    }),
    route({
      name: 'diagnostics.follow-logs',
      method: 'GET',
      path: '/api/logs/stream',
      permission: 'analytics',
      summary: 'What is logged from now on, or after Last-Event-ID, as server-sent events.',
      query: logsQuery,
      handle: async ({ query, headers, signal }) => {
        const entries = needs.entries.follow(signal, readLastEventId(headers))
        return toServerSentEvents(followLogs(entries, query))
      },
    }),
  ]
}
