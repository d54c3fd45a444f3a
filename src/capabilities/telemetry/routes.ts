import { type Route, route } from '../../kernel/http/route.ts'
import type { Ledger } from './ledger.ts'
import { readSearches } from './list.ts'
import type { TelemetryNeeds } from './needs.ts'
import * as wire from './schemas.ts'

export function telemetryRoutes(
  needs: TelemetryNeeds & { readonly ledger: Ledger },
): readonly Route[] {
  return [
    route({
      name: 'telemetry.searches',
      method: 'GET',
      path: '/api/telemetry/memory-search',
      permission: 'analytics',
      summary:
        'Questions to the memory with their answers, where that is switched on; the latest first.',
      query: wire.listQuery,
      reply: wire.listReply,
      handle: async (call) => wire.toListed(readSearches(needs, call.caller, wire.toRequest(call))),
    }),
    route({
      name: 'telemetry.searches-export',
      method: 'GET',
      path: '/api/telemetry/memory-search/export',
      permission: 'analytics',
      summary: 'The same, one a line.',
      query: wire.exportQuery,
      handle: async (call) =>
        wire.toExported(readSearches(needs, call.caller, wire.toRequest(call))),
    }),
  ]
}
