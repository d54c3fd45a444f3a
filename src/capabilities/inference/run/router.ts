import type { Events } from '../../../kernel/events/events.ts'
import type { Gate } from '../../../kernel/gate/gate.ts'
import type { ProviderCalls } from '../../../kernel/health/provider-calls.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { BudgetGuard } from '../budgets/budget-guard.ts'
import type { RouteDecision } from '../decision/decide.ts'
import type { RouteRequest } from '../decision/request.ts'
import type { LiveSettings } from '../runtime/live-settings.ts'
import type { TargetStates } from '../runtime/target-states.ts'
import type { TargetCall, Usage } from '../targets/target.ts'
import type { ActiveRequests } from './active-requests.ts'
import type { Concurrency } from './concurrency.ts'
import type { Targets } from './targets.ts'

/** What every call needs. */
export interface Router {
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  readonly gate: Pick<Gate, 'enter' | 'isOpen'>
  readonly settings: LiveSettings
  readonly states: TargetStates
  readonly targets: Targets
  readonly providerCalls: Pick<ProviderCalls, 'add'>
  readonly budgets: BudgetGuard
  readonly concurrency: Concurrency
  readonly active: ActiveRequests
  /** Aborts when the daemon stops. */
  readonly stopping: AbortSignal
}

/** The content of a call and the options that its model receives. */
export type PromptCall = Omit<
  TargetCall,
  'model' | 'contextWindow' | 'agentId' | 'signal' | 'limits'
>

export interface RunRequest {
  /** Of a stream, for its cancellation. */
  readonly requestId: string
  /** The authenticated sender. */
  readonly subject: string
  readonly surface: 'native' | 'gateway'
  readonly route: RouteRequest
  readonly prompt: PromptCall
  /** Default: `inference.limits.timeoutMs`. */
  readonly timeoutMs?: number | undefined
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  /** Rebuilds the snapshot of the targets. */
  readonly refresh?: boolean | undefined
}

/** One target that was tried, or that an observation blocks. */
export interface Attempt {
  readonly targetRef: string
  readonly ok: boolean
  readonly durationMs: number
  readonly error?: string
  readonly usage?: Usage
}

export interface Routed {
  readonly decision: RouteDecision
  readonly attempts: readonly Attempt[]
}
