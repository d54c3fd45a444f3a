import type { InferenceConfig, TargetModel } from '../config/config.ts'
import type { RouteRequest } from '../decision/request.ts'
import type { Usage } from '../targets/target.ts'

/** Limits what calls may cost. */
export interface BudgetGuard {
  /** Reads the windows of all budgets once, for the gates of one decision. */
  readGates(
    config: InferenceConfig,
    request: RouteRequest,
    estimated: Estimated,
  ): Promise<BudgetGates>
  /** Reserves the estimate of one attempt in all budgets that apply, or in none. */
  reserve(call: BudgetedCall): Promise<Reserved>
}

/** The budgets that block a target: `budget:daily`. */
type BudgetGates = (ref: string, taskClass: string) => readonly string[]

export interface Estimated {
  readonly promptChars: number
  readonly maxTokens: number | undefined
}

export interface BudgetedCall extends Estimated {
  readonly config: InferenceConfig
  readonly model: TargetModel
  readonly request: RouteRequest
  readonly taskClass: string
}

export type Reserved =
  | { readonly status: 'reserved'; readonly settle: Settle }
  | { readonly status: 'exhausted'; readonly budgetIds: readonly string[] }

/**
 * Replaces the reservation by the use, and records the call. `estimate` counts the reservation,
 * `nothing` counts no tokens. Never throws. Returns the usage with its cost where that is known.
 */
export type Settle = (outcome: {
  readonly ok: boolean
  readonly usage: Usage | 'estimate' | 'nothing'
}) => Promise<Usage | null>
