import type { Db } from '../../../kernel/db/database.ts'

export interface UsageRow {
  readonly day: string
  readonly agentId: string
  readonly operation: string
  readonly taskClass: string
  readonly targetRef: string
  readonly calls: number
  readonly failures: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly costMicros: number
}

export interface WindowRow {
  readonly budgetId: string
  /** `2026-11-23` or `2026-11`. */
  readonly window: string
  readonly usedTokens: number
  readonly usedCostMicros: number
}

export interface ReservationRow {
  /** Of one attempt, with a row for each budget. */
  readonly id: string
  readonly budgetId: string
  readonly window: string
  readonly tokens: number
  readonly costMicros: number
  /** From then on it counts as use. */
  readonly expiresAt: string
}

type Tables = {
  inferenceUsage: UsageRow
  inferenceBudgetWindows: WindowRow
  inferenceReservations: ReservationRow
}

export function tables(db: Db) {
  return db.withTables<Tables>()
}
