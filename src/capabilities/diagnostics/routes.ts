import { isUnknownRemote, type Principal } from '../../kernel/auth/authenticate.ts'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { readLastEventId, toServerSentEvents } from '../../kernel/http/stream.ts'

import { type HealthNeeds, readHealth, readLiveness, readReadiness } from './health.ts'
import { followLogs, readLogs } from './logs.ts'
import type { ReadReport } from './report.ts'
import * as wire from './schemas.ts'
import { readStatus } from './status.ts'

type RouteNeeds = HealthNeeds & { readonly report: ReadReport }

export function diagnosticsRoutes(needs: RouteNeeds): readonly Route[] {
  /** Remote callers see the process id and the workspace only with a token. */
  const seesMachine = (principal: Principal) => !isUnknownRemote(principal, needs.self.bindHost)
  return [
    route({
      name: 'diagnostics.health',
      method: 'GET',
      path: '/health',
      permission: 'open',
      summary: 'Report the service health: healthy, degraded or shutting down.',
      reply: wire.healthReply,
      handle: async ({ principal }) => {
        const { pid, agentsDir, ...reply } = await readHealth(needs)
        return seesMachine(principal) ? { ...reply, pid, agentsDir } : reply
      },
    }),
    route({
      name: 'diagnostics.live',
      method: 'GET',
      path: '/health/live',
      permission: 'open',
      summary: 'Liveness probe: reply from memory, without the database.',
      reply: wire.liveReply,
      handle: async ({ principal }) => {
        const { pid, ...reply } = readLiveness(needs)
        return seesMachine(principal) ? { ...reply, pid } : reply
      },
    }),
    route({
      name: 'diagnostics.ready',
      method: 'GET',
      path: '/health/ready',
      permission: 'open',
      summary: 'Readiness probe: 503 with reasons if the service is not ready.',
      reply: wire.readyReply,
      otherReplies: { 503: wire.readyReply },
      handle: async () => {
        const readiness = await readReadiness(needs)
        return new Reply(readiness.status === 'ready' ? 200 : 503, readiness)
      },
    }),
    route({
      name: 'diagnostics.mode',
      method: 'GET',
      path: '/api/mode',
      permission: 'open',
      summary: 'Report the authentication mode.',
      reply: wire.modeReply,
      handle: async () => ({ mode: needs.self.mode, requiresAuth: needs.self.mode !== 'local' }),
    }),
    route({
      name: 'diagnostics.status',
      method: 'GET',
      path: '/api/status',
      permission: 'diagnostics',
      summary: 'Report the configuration, resources and health of every component.',
      reply: wire.statusReply,
      handle: () => readStatus(needs),
    }),
    route({
      name: 'diagnostics.logs',
      method: 'GET',
      path: '/api/logs',
      aliases: ['/api/analytics/logs'],
      permission: 'analytics',
      requiresUnscoped: true,
      summary: 'List the latest log entries, oldest first.',
      query: wire.logsQuery,
      reply: wire.logsReply,
      handle: async ({ query }) => readLogs(needs.entries.recent(), query),
    }),
    route({
      name: 'diagnostics.follow-logs',
      method: 'GET',
      path: '/api/logs/stream',
      permission: 'analytics',
      requiresUnscoped: true,
      isSubscription: true,
      summary: 'Stream new log entries, or those after Last-Event-ID, as server-sent events.',
      query: wire.logsQuery,
      handle: async ({ query, headers, signal }) => {
        const entries = needs.entries.follow(signal, readLastEventId(headers))
        return toServerSentEvents(followLogs(entries, query))
      },
    }),
  ]
}
