import type { z } from 'zod'
import { type PipelineCode, pipelineFailed } from '../../kernel/events/pipeline-failure.ts'
import type { Replied } from '../../kernel/http/replies.ts'
import { jobEnded } from '../../kernel/jobs/run-job.ts'
import { connectorSynced } from '../connectors/index.ts'
import { createFailures } from './failures.ts'
import { kindOf } from './kinds.ts'
import { createLatency } from './latency.ts'
import type { AnalyticsNeeds } from './needs.ts'
import { analyticsRoutes } from './routes.ts'
import { measurements } from './schemas.ts'
import { createTraffic } from './traffic.ts'
import { createUsage } from './usage.ts'

export { measurements }

export const analyticsModule = { name: 'analytics' } as const

export function createAnalytics(needs: AnalyticsNeeds) {
  const { events, host } = needs
  const usage = createUsage()
  const latency = createLatency()
  const failures = createFailures(host)
  const traffic = createTraffic()
  events.on(pipelineFailed, failures.add)
  events.on(jobEnded, ({ agentId, ms }) => latency.add('jobs', agentId ?? '', ms))
  events.on(connectorSynced, ({ id, agentId, failure, documents }) =>
    usage.countSync({ id, agentId, failed: failure !== null, documents }),
  )
  return {
    routes: analyticsRoutes({ ...needs, usage, latency, failures, traffic }),
    /** Durations and failures over all agents. */
    measurements: (): z.output<typeof measurements> => {
      const { remember, recall, mutate } = latency.read({})
      const { errors, summary } = failures.read({ scope: {}, limit: maxRecentFailures })
      return { latency: { remember, recall, mutate }, errorSummary: { ...summary, recent: errors } }
    },
    /** Receives each reply of the service. */
    onReply: (replied: Replied): void => {
      usage.countReply(replied)
      traffic.count(replied)
      const kind = kindOf(replied.route)
      const { caller, ms, status } = replied
      if (kind && caller && status < 400) latency.add(kind, caller.agentId, ms)
      const code = kind === 'mutate' ? mutationCodes[status] : undefined
      if (code) failures.add({ code, agentId: caller?.agentId ?? null, ...toAuthor(caller) })
    },
  }
}

const maxRecentFailures = 10

const mutationCodes: Readonly<Record<number, PipelineCode>> = {
  403: 'MUTATION_SCOPE_DENIED',
  409: 'MUTATION_CONFLICT',
}

function toAuthor(caller: Replied['caller']) {
  return caller && { requestId: caller.requestId, actor: caller.name }
}
