import { type Health, toHealth } from '../health/health.ts'
import type { Counts } from './counts.ts'

/** As the contract has them. */
const deepest = 50
const oldestSec = 300
const highestDeadRate = 0.01

/** A backlog is told of; it keeps nothing from being served. */
export function judgeQueue(counts: Counts, workers: { slots: number; running: number }): Health {
  const { pending, oldestAgeSec, deadRate, leaseAnomalies } = counts
  return toHealth(
    [
      pending > deepest && `${pending} jobs wait`,
      oldestAgeSec > oldestSec && `a job has waited for ${oldestAgeSec} s`,
      deadRate > highestDeadRate && `${Math.round(deadRate * 100)} % of the last hour's jobs died`,
      leaseAnomalies > 0 && `${leaseAnomalies} jobs have run for more than ten minutes`,
    ],
    { ...counts, workers },
  )
}
