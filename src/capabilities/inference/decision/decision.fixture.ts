import { parseConfig } from '../config/parse-config.ts'
import { type DecisionInput, decide } from './decide.ts'
import type { TargetState } from './gates.ts'
import type { RouteRequest } from './request.ts'

const ready: TargetState = {
  available: true,
  health: 'healthy',
  circuitOpen: false,
  accountState: 'ready',
}

/** Three targets: a local one, a remote one and a more capable remote one. */
const targets = {
  home: { executor: 'ollama', models: { small: { model: 'tiny', reasoning: 'low' } } },
  far: { executor: 'anthropic', models: { mid: { model: 'mid', costTier: 'medium' } } },
  best: {
    executor: 'openai',
    privacy: 'restricted_remote',
    models: {
      big: {
        model: 'big',
        reasoning: 'high',
        costTier: 'high',
        multimodal: true,
        averageLatencyMs: 3_000,
        contextWindow: 1_000,
      },
    },
  },
}

interface Given {
  readonly states?: Readonly<Record<string, Partial<TargetState>>>
  readonly budgets?: Readonly<Record<string, readonly string[]>>
}

export function inputFor(
  section: object,
  request: Partial<RouteRequest> = {},
  { states = {}, budgets = {} }: Given = {},
): DecisionInput {
  return {
    config: parseConfig({ section: { targets, ...section }, extraction: undefined }),
    request: { operation: 'interactive', agentId: 'ann', ...request },
    state: (ref) => ({ ...ready, ...states[ref] }),
    budgetBlocks: (ref) => budgets[ref] ?? [],
  }
}

export function decideFor(...given: Parameters<typeof inputFor>) {
  return decide(inputFor(...given)).decision
}
