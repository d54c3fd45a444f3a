import type { TargetModel } from '../config/config.ts'
import { levels } from '../config/entries.ts'
import { estimateLatencyMs, type TargetState } from './gates.ts'
import type { Requirements } from './request.ts'

interface Scored {
  readonly score: number
  /** The parts of the score: `base:+100`. */
  readonly reasons: readonly string[]
}

interface ScoreInput {
  readonly candidate: TargetModel
  readonly state: TargetState
  readonly requirements: Requirements
  /** The place in the order, from 0. */
  readonly index: number
}

/** Scores a candidate that no gate blocks. Gates have checked the ceiling of cost already. */
export function scoreTarget({ candidate, state, requirements, index }: ScoreInput): Scored {
  const { latencyBudgetMs, costCeiling } = requirements
  const isFast = latencyBudgetMs !== undefined && estimateLatencyMs(candidate) <= latencyBudgetMs
  const parts = {
    base: 100 - 5 * index,
    reasoning: scoreReasoning(
      levels.indexOf(candidate.model.reasoning) - levels.indexOf(requirements.reasoning),
    ),
    local: candidate.target.kind === 'local' ? 12 : 0,
    latency: isFast ? 10 : 0,
    cost: costCeiling === undefined ? 0 : 8,
    health: state.health === 'healthy' ? 12 : -8,
    account: state.accountState === 'ready' ? 6 : 0,
  }
  const factors = Object.entries(parts).filter(([, points]) => points !== 0)
  return {
    score: factors.reduce((sum, [, points]) => sum + points, 0),
    reasons: factors.map(([name, points]) => `${name}:${points > 0 ? '+' : ''}${points}`),
  }
}

function scoreReasoning(delta: number): number {
  return delta >= 0 ? 25 - 3 * delta : 10 + 10 * delta
}
