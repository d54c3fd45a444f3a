import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { micros } from './budgets/budget.ts'
import type { InferenceNeeds } from './needs.ts'
import type { UsageQuery } from './schemas.ts'
import { deleteWindowsBefore } from './store/budgets.ts'
import { deleteUsageBefore, sumUsage, type UsageSums } from './store/usage.ts'

const maxRows = 1_000

/** Usage has no project, so a token of one project sees none. */
export async function readUsage(db: Db, { scope }: Caller, query: UsageQuery) {
  const filter = { ...query, agentId: scope.agent, limit: maxRows }
  const sums = scope.project === undefined ? await sumUsage(db, filter) : []
  const rows = sums.map(({ key, ...row }) => ({ key, ...toWire(row) }))
  return { rows, totals: toWire(addUp(sums)) }
}

function toWire({ costMicros, ...counts }: UsageSums) {
  return { ...counts, cost: costMicros / micros }
}

function addUp(rows: readonly UsageSums[]): UsageSums {
  const total = (name: keyof UsageSums) => rows.reduce((sum, row) => sum + row[name], 0)
  return {
    calls: total('calls'),
    failures: total('failures'),
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    cacheReadTokens: total('cacheReadTokens'),
    cacheCreationTokens: total('cacheCreationTokens'),
    costMicros: total('costMicros'),
  }
}

const dayMs = 86_400_000
const usageDays = 400
const windowDays = 60

/** Deletes old usage and old windows of budgets. */
export function createSweep({ db, host }: Pick<InferenceNeeds, 'db' | 'host'>) {
  const dayBefore = (days: number) =>
    new Date(host.now().getTime() - days * dayMs).toISOString().slice(0, 10)
  return async () => {
    await deleteUsageBefore(db, dayBefore(usageDays))
    await deleteWindowsBefore(db, dayBefore(windowDays))
  }
}
