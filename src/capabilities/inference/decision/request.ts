import type { InferenceConfig, Policy, TaskClass, Workload } from '../config/config.ts'
import {
  type Level,
  type Operation,
  type PrivacyTier,
  privacyTiers,
  type WorkloadName,
} from '../config/entries.ts'

/** The properties of a call, without its prompt. */
export interface RouteRequest {
  readonly operation: Operation
  readonly agentId: string
  readonly taskClass?: string | undefined
  readonly privacy?: PrivacyTier | undefined
  /** The beginning of the prompt, for the classifier only. */
  readonly promptPreview?: string | undefined
  readonly explicitPolicy?: string | undefined
  /** The only candidates, if there is any. */
  readonly explicitTargets?: readonly string[] | undefined
  readonly requireTools?: boolean | undefined
  readonly requireStreaming?: boolean | undefined
  readonly requireMultimodal?: boolean | undefined
  readonly expectedInputTokens?: number | undefined
  readonly expectedOutputTokens?: number | undefined
  readonly latencyBudgetMs?: number | undefined
  readonly costCeiling?: Level | undefined
}

const workloadChains: Readonly<Record<Operation, readonly WorkloadName[]>> = {
  default: ['default'],
  interactive: ['interactive', 'default'],
  tool_planning: ['interactive', 'default'],
  code_reasoning: ['interactive', 'default'],
  os_agent: ['interactive', 'default'],
  memory_extraction: ['memoryExtraction', 'default'],
  session_synthesis: ['memoryExtraction', 'default'],
  aggregate_recall: ['aggregateRecall', 'default'],
  widget_generation: ['widgetGeneration', 'memoryExtraction', 'default'],
  repair: ['repair', 'memoryExtraction', 'default'],
}

/** Workloads whose privacy applies in addition to that of the task class. */
const privateWorkloads: Readonly<Partial<Record<Operation, readonly WorkloadName[]>>> = {
  aggregate_recall: ['aggregateRecall'],
  tool_planning: ['interactive', 'aggregateRecall'],
}

export function findWorkload(
  { workloads }: Pick<InferenceConfig, 'workloads'>,
  operation: Operation,
): Workload | undefined {
  const name = workloadChains[operation].find((name) => workloads[name])
  return name && workloads[name]
}

/** What a target must provide. */
export interface Requirements {
  readonly privacy: PrivacyTier
  readonly reasoning: Level
  readonly tools: boolean
  readonly streaming: boolean
  readonly multimodal: boolean
  /** Input and output. */
  readonly tokens: number
  readonly latencyBudgetMs: number | undefined
  readonly costCeiling: Level | undefined
}

interface Sources {
  readonly request: RouteRequest
  readonly taskClass: TaskClass | undefined
  readonly policy: Policy
  readonly reasoning: Level
}

/** A caller can raise the privacy of a call and cannot lower it. */
export function toRequirements(
  config: InferenceConfig,
  { request, taskClass, policy, reasoning }: Sources,
): Requirements {
  const byWorkload = (privateWorkloads[request.operation] ?? []).map(
    (name) => config.taskClasses.get(config.workloads[name]?.taskClass ?? '')?.privacy,
  )
  const input = request.expectedInputTokens ?? taskClass?.expectedInputTokens ?? 0
  const output = request.expectedOutputTokens ?? taskClass?.expectedOutputTokens ?? 0
  return {
    privacy: strictest([request.privacy, taskClass?.privacy, ...byWorkload]),
    reasoning,
    tools: request.requireTools === true || taskClass?.toolsRequired === true,
    streaming: request.requireStreaming === true,
    multimodal: request.requireMultimodal === true || taskClass?.multimodalRequired === true,
    tokens: input + output,
    latencyBudgetMs: request.latencyBudgetMs ?? taskClass?.maxLatencyMs ?? policy.maxLatencyMs,
    costCeiling: request.costCeiling ?? taskClass?.costCeiling ?? policy.costCeiling,
  }
}

export function privacyRank(tier: PrivacyTier): number {
  return privacyTiers.indexOf(tier)
}

function strictest(tiers: readonly (PrivacyTier | undefined)[]): PrivacyTier {
  const ranks = tiers.map((tier) => (tier ? privacyRank(tier) : 0))
  return privacyTiers[Math.max(0, ...ranks)] ?? 'local_only'
}
