import { type Route, route } from '../../kernel/http/route.ts'
import { exportEvents, readEvents, readFirstPage, readSearches } from './list.ts'

import type { TelemetryRuntime } from './runtime.ts'
import * as wire from './schemas.ts'
import { readStats } from './stats.ts'

export function telemetryRoutes(runtime: TelemetryRuntime): readonly Route[] {
  return [
    route({
      name: 'telemetry.events',
      method: 'GET',
      path: '/api/telemetry/events',
      permission: 'analytics',
      summary: 'List usage events, newest first.',
      query: wire.eventsQuery,
      reply: wire.eventsReply,
      handle: async ({ caller, query }) => wire.toEvents(await readEvents(runtime, caller, query)),
    }),
    route({
      name: 'telemetry.stats',
      method: 'GET',
      path: '/api/telemetry/stats',
      permission: 'analytics',
      summary: 'Summarize the newest 10,000 usage events.',
      query: wire.statsQuery,
      reply: wire.statsReply,
      handle: async ({ caller, query }) =>
        wire.toStatsReply(await readStats(runtime, caller, query)),
    }),
    route({
      name: 'telemetry.export',
      method: 'GET',
      path: '/api/telemetry/export',
      permission: 'analytics',
      summary: 'Export usage events as JSON Lines, oldest first.',
      query: wire.exportQuery,
      handle: async ({ caller, query }) =>
        wire.toLines(await readFirstPage(exportEvents(runtime, caller, query)), (event) => event),
    }),
    route({
      name: 'telemetry.health',
      method: 'GET',
      path: '/api/telemetry/health',
      permission: 'analytics',
      requiresUnscoped: true,
      summary: 'Report what is recorded, and what waits or was lost.',
      reply: wire.healthReply,
      handle: async () => {
        const { enabled, memorySearchQaEnabled: qaEnabled, retentionDays } = runtime.config()
        return { enabled, qaEnabled, retentionDays, ...runtime.recorder.state() }
      },
    }),
    route({
      name: 'telemetry.searches',
      method: 'GET',
      path: '/api/telemetry/memory-search',
      permission: 'analytics',
      summary: 'List recorded memory queries with their results, latest first.',
      query: wire.searchesQuery,
      reply: wire.searchesReply,
      handle: async (call) =>
        wire.toSearchesReply(
          await readFirstPage(readSearches(runtime, call.caller, wire.toRequest(call))),
        ),
    }),
    route({
      name: 'telemetry.searches-export',
      method: 'GET',
      path: '/api/telemetry/memory-search/export',
      permission: 'analytics',
      summary: 'Export recorded memory queries as JSON Lines.',
      query: wire.searchesExportQuery,
      handle: async (call) =>
        wire.toLines(
          await readFirstPage(readSearches(runtime, call.caller, wire.toRequest(call))),
          wire.toItem,
        ),
    }),
  ]
}
