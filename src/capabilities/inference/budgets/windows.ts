import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Budget } from '../config/config.ts'

interface Window {
  /** The day or the month in UTC: `2026-11-23` or `2026-11`. */
  readonly window: string
  readonly resetsAt: string
}

export function windowOf(period: Budget['period'], now: Date): Window {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const isDay = period === 'day'
  const next = isDay ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
  const window = now.toISOString().slice(0, isDay ? 10 : 7)
  return { window, resetsAt: new Date(next).toISOString() }
}

interface Exhausted {
  readonly budgets: ReadonlyMap<string, Budget>
  readonly ids: readonly string[]
  readonly now: Date
}

/** `resetsAt` is when the first of them has room again. */
export function exhaustedRefusal({ budgets, ids, now }: Exhausted): Refusal {
  const ends = ids.map((id) => windowOf(budgets.get(id)?.period ?? 'day', now).resetsAt)
  const [resetsAt = null] = ends.toSorted()
  const message = `The budget ${ids.join(', ')} is used up until ${resetsAt}.`
  const details = { code: 'budget-exhausted', budgets: ids, resetsAt, shouldRetry: false }
  return new Refusal('too_many', 'budget_exhausted', message, details)
}
