import type { Events } from '../../kernel/events/events.ts'
import type { Gate } from '../../kernel/gate/gate.ts'
import type { ProviderCalls } from '../../kernel/health/provider-calls.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { LoopMonitor } from '../../kernel/host/loop-monitor.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'

export interface AnalyticsNeeds {
  readonly host: Pick<Host, 'now'>
  readonly events: Pick<Events, 'on'>
  readonly jobs: Pick<Jobs, 'counts'>
  readonly gate: Pick<Gate, 'isOpen'>
  readonly loop: Pick<LoopMonitor, 'read'>
  readonly providerCalls: Pick<ProviderCalls, 'totals'>
  readonly self: { readonly version: string; readonly engine: string; readonly startedAt: Date }
  /** The scored domains, cached for five seconds. */
  readonly report: () => Promise<DomainReports>
  /** Failed syncs with the remote repository since the start. */
  readonly gitFailures: () => number
}

interface DomainReports {
  readonly domains: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}
