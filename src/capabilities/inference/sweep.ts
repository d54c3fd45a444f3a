import type { InferenceNeeds } from './needs.ts'
import { deleteWindowsBefore } from './store/budgets.ts'
import { deleteUsageBefore } from './store/usage.ts'

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
