import { type Route, route } from '../../kernel/http/route.ts'
import { toTextStream } from '../../kernel/http/stream.ts'
import type { createFailures } from './failures.ts'
import type { createLatency } from './latency.ts'
import { readMetrics } from './metrics.ts'
import type { AnalyticsNeeds } from './needs.ts'
import * as wire from './schemas.ts'
import type { createTraffic } from './traffic.ts'
import type { Usage } from './usage.ts'

interface RouteNeeds extends AnalyticsNeeds {
  readonly usage: Usage
  readonly latency: ReturnType<typeof createLatency>
  readonly failures: ReturnType<typeof createFailures>
  readonly traffic: ReturnType<typeof createTraffic>
}

/** The content type of the text format 0.0.4. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

export function analyticsRoutes(needs: RouteNeeds): readonly Route[] {
  const { failures, latency, providerCalls, report, self, traffic, usage } = needs
  return [
    route({
      name: 'analytics.usage',
      method: 'GET',
      path: '/api/analytics/usage',
      permission: 'analytics',
      summary: 'Count requests, model calls and syncs since the start.',
      reply: wire.usageReply,
      handle: async ({ caller: { scope } }) => ({
        ...usage.read(scope),
        providers:
          (scope.agent ?? scope.project) === undefined
            ? Object.fromEntries(providerCalls.totals())
            : {},
        startedAt: self.startedAt.toISOString(),
      }),
    }),
    route({
      name: 'analytics.errors',
      method: 'GET',
      path: '/api/analytics/errors',
      permission: 'analytics',
      summary: 'List the last failures of the pipeline, newest first.',
      query: wire.errorsQuery,
      reply: wire.errorsReply,
      handle: async ({ caller: { scope }, query }) => failures.read({ ...query, scope }),
    }),
    route({
      name: 'analytics.latency',
      method: 'GET',
      path: '/api/analytics/latency',
      permission: 'analytics',
      summary: 'Summarize the last 1,000 durations of each kind of work.',
      reply: wire.latencyReply,
      handle: async ({ caller: { scope } }) => latency.read(scope),
    }),
    route({
      name: 'analytics.memory-safety',
      method: 'GET',
      path: '/api/analytics/memory-safety',
      permission: 'analytics',
      requiresUnscoped: true,
      summary: 'Report how memories are changed and which changes failed.',
      reply: wire.memorySafetyReply,
      handle: async ({ caller: { scope } }) => {
        const { domains } = await report()
        const { errors, summary } = failures.read({ scope, stage: 'mutation', limit: 50 })
        const mutation = { ...domains.get('mutation') }
        return { mutation, recentErrors: errors, errorSummary: summary }
      },
    }),
    route({
      name: 'analytics.metrics',
      method: 'GET',
      path: '/metrics',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Export the figures of the service in the text format of Prometheus.',
      handle: async () => toTextStream(metricsType, await readMetrics(needs, traffic)),
    }),
  ]
}
