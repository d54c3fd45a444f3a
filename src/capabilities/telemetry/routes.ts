import { type Route, route } from '../../kernel/http/route.ts'
import { exportEvents, readEvents } from './list-events.ts'
import { readSearches } from './list-searches.ts'
import { begun } from './pages.ts'
import type { TelemetryRuntime } from './runtime.ts'
import * as wire from './schemas.ts'
import * as searches from './search-schemas.ts'
import { readStats } from './stats.ts'

export function telemetryRoutes(runtime: TelemetryRuntime): readonly Route[] {
  return [
    route({
      name: 'telemetry.events',
      method: 'GET',
      path: '/api/telemetry/events',
      permission: 'analytics',
      summary: 'What was done, in counts and names, the newest first.',
      query: wire.eventsQuery,
      reply: wire.eventsReply,
      handle: async ({ caller, query }) => wire.toEvents(await readEvents(runtime, caller, query)),
    }),
    route({
      name: 'telemetry.stats',
      method: 'GET',
      path: '/api/telemetry/stats',
      permission: 'analytics',
      summary: 'What the newest 10,000 events come to.',
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
      summary: 'The same events, the oldest first, one a line.',
      query: wire.exportQuery,
      handle: async ({ caller, query }) =>
        wire.toExported(await begun(exportEvents(runtime, caller, query))),
    }),
    route({
      name: 'telemetry.searches',
      method: 'GET',
      path: '/api/telemetry/memory-search',
      permission: 'analytics',
      summary:
        'Questions to the memory with their answers, where that is switched on; the latest first.',
      query: searches.listQuery,
      reply: searches.listReply,
      handle: async (call) =>
        searches.toListed(
          await begun(readSearches(runtime, call.caller, searches.toRequest(call))),
        ),
    }),
    route({
      name: 'telemetry.searches-export',
      method: 'GET',
      path: '/api/telemetry/memory-search/export',
      permission: 'analytics',
      summary: 'The same, one a line.',
      query: searches.exportQuery,
      handle: async (call) =>
        searches.toExported(
          await begun(readSearches(runtime, call.caller, searches.toRequest(call))),
        ),
    }),
  ]
}
