import type { TargetModel } from '../config/config.ts'
import { levels } from '../config/entries.ts'
import { privacyRank, type Requirements } from './request.ts'

/** What the daemon knows about a target at this moment. */
export interface TargetState {
  readonly available: boolean
  readonly health: 'healthy' | 'degraded' | 'blocked'
  readonly circuitOpen: boolean
  readonly accountState: AccountState
  readonly unavailableReason?: string
}

export type AccountState = 'ready' | 'missing' | 'expired' | 'rate_limited' | 'unknown'

const defaultLatencyMs = { local: 50, gateway: 250, api: 350, subscription_session: 900 } as const
const blockingStates: readonly AccountState[] = ['missing', 'expired', 'rate_limited']

export function estimateLatencyMs({ model, target }: TargetModel): number {
  return model.averageLatencyMs ?? defaultLatencyMs[target.kind]
}

/** Gates that only an observation closes: another call may find the target open again. */
export function listObservedBlocks(state: TargetState): string[] {
  return listTrue({
    'executor:unavailable': !state.available,
    'executor:circuit-open': state.circuitOpen,
    'executor:blocked': state.health === 'blocked',
    [`account:${state.accountState}`]: blockingStates.includes(state.accountState),
  })
}

/** Gates that the request and the settings close. */
export function listBlocks(candidate: TargetModel, requirements: Requirements): string[] {
  const { target, model, privacy } = candidate
  const { latencyBudgetMs, costCeiling, tokens } = requirements
  return listTrue({
    privacy: privacyRank(privacy) < privacyRank(requirements.privacy),
    local: requirements.privacy === 'local_only' && target.kind !== 'local',
    tools: requirements.tools && !candidate.toolUse,
    streaming: requirements.streaming && !candidate.streaming,
    multimodal: requirements.multimodal && !model.multimodal,
    context: model.contextWindow !== undefined && tokens > model.contextWindow,
    cost: costCeiling !== undefined && isAbove(model.costTier, costCeiling),
    latency: latencyBudgetMs !== undefined && estimateLatencyMs(candidate) > 2 * latencyBudgetMs,
  })
}

function isAbove(tier: (typeof levels)[number] | undefined, ceiling: (typeof levels)[number]) {
  return tier !== undefined && levels.indexOf(tier) > levels.indexOf(ceiling)
}

function listTrue(gates: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(gates).filter((name) => gates[name])
}
