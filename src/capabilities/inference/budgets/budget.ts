import type { Budget, InferenceConfig } from '../config/config.ts'
import type { RouteRequest } from '../decision/request.ts'
import type { WindowState } from '../store/budgets.ts'
import { windowOf } from './windows.ts'

/** What a call may use: tokens and millionths of a dollar. */
export interface Amount {
  readonly tokens: number
  readonly costMicros: number
}

export const micros = 1_000_000
/** Output tokens of a call that does not limit them. */
const defaultMaxTokens = 4_096
const charsPerToken = 4
/** From this share on a budget is reported as near its limit. */
const nearShare = 0.8

interface Estimated {
  readonly promptChars: number
  readonly maxTokens: number | undefined
}

export function estimateTokens({ promptChars, maxTokens }: Estimated) {
  const outputTokens = maxTokens || defaultMaxTokens
  return { inputTokens: Math.ceil(promptChars / charsPerToken), outputTokens }
}

/** The budgets of a call, in the order in which their windows are locked. */
export function listBudgets(
  { budgets }: Pick<InferenceConfig, 'budgets'>,
  { agentId, operation }: Pick<RouteRequest, 'agentId' | 'operation'>,
  taskClass: string,
): [id: string, budget: Budget][] {
  const applies = ({ agent, taskClass: narrowed, operations }: Budget) =>
    (agent === undefined || agent === agentId) &&
    (narrowed === undefined || narrowed === taskClass) &&
    (operations === undefined || operations.includes(operation))
  return [...budgets]
    .filter(([, budget]) => applies(budget))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** True if the budget has no room for the amount. */
export function exceeds(
  { maxTokens, maxCost }: Budget,
  state: WindowState,
  amount: Amount,
): boolean {
  const tokens = state.usedTokens + state.reservedTokens + amount.tokens
  const cost = state.usedCostMicros + state.reservedCostMicros + amount.costMicros
  return (
    (maxTokens !== undefined && tokens > maxTokens) ||
    (maxCost !== undefined && cost > maxCost * micros)
  )
}

export interface BudgetStatus {
  readonly id: string
  readonly period: Budget['period']
  readonly agent?: string
  readonly taskClass?: string
  readonly operations?: readonly string[]
  readonly limits: { readonly tokens: number | null; readonly cost: number | null }
  readonly used: { readonly tokens: number; readonly cost: number }
  readonly reserved: { readonly tokens: number; readonly cost: number }
  readonly state: 'ok' | 'near' | 'stopped'
  readonly resetsAt: string
}

export function toStatus(id: string, budget: Budget, read: WindowState, now: Date): BudgetStatus {
  const { period, agent, taskClass, operations, maxTokens, maxCost } = budget
  return {
    id,
    period,
    ...(agent !== undefined && { agent }),
    ...(taskClass !== undefined && { taskClass }),
    ...(operations !== undefined && { operations }),
    limits: { tokens: maxTokens ?? null, cost: maxCost ?? null },
    used: { tokens: read.usedTokens, cost: read.usedCostMicros / micros },
    reserved: { tokens: read.reservedTokens, cost: read.reservedCostMicros / micros },
    state: toState(budget, read),
    resetsAt: windowOf(period, now).resetsAt,
  }
}

function toState({ maxTokens, maxCost }: Budget, read: WindowState): BudgetStatus['state'] {
  const tokens = read.usedTokens + read.reservedTokens
  const cost = (read.usedCostMicros + read.reservedCostMicros) / micros
  const shares = [shareOf(tokens, maxTokens), shareOf(cost, maxCost)]
  const share = Math.max(...shares)
  if (share >= 1) return 'stopped'
  return share >= nearShare ? 'near' : 'ok'
}

/** A limit of nothing is reached at once. */
function shareOf(used: number, limit: number | undefined): number {
  if (limit === undefined) return 0
  return limit === 0 ? 1 : used / limit
}
