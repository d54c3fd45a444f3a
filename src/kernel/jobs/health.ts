import { type Health, toHealth } from '../health/health.ts'
import type { Counts } from './counts.ts'

/** Limits of the contract. */
const maxPendingJobs = 50
const maxAgeSec = 300
const maxDeadRate = 0.01

/** Reports a backlog, which does not affect readiness. */
export function toQueueHealth(counts: Counts, workers: { slots: number; running: number }): Health {
  const { pending, oldestAgeSec, deadRate, leaseAnomalies } = counts
  const deadReason = `${Math.round(deadRate * 100)} % of the last hour's jobs died`
  const findings = [
    { penalty: 0.3, reason: pending > maxPendingJobs && `${pending} jobs wait` },
    { penalty: 0.2, reason: oldestAgeSec > maxAgeSec && `a job has waited for ${oldestAgeSec} s` },
    { penalty: 0.3, reason: deadRate > maxDeadRate && deadReason },
    {
      penalty: 0.2,
      reason: leaseAnomalies > 0 && `${leaseAnomalies} jobs have run for more than ten minutes`,
    },
  ]
  const score = findings.reduce((left, { penalty, reason }) => left - (reason ? penalty : 0), 1)
  const reasons = findings.map(({ reason }) => reason)
  return toHealth(reasons, { ...counts, workers }, score)
}
