import { type DomainCheck, toFindings } from '../kernel/capability/domain.ts'
import type { ProviderCalls } from '../kernel/health/provider-calls.ts'
import type { Counts } from '../kernel/jobs/counts.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'

/** Limits of the contract. */
const maxDepth = 50
const maxDeadRate = 0.01
const maxAgeSec = 300

/** The domain of the job queue. */
export function queueDomain(jobs: Pick<Jobs, 'counts'>): DomainCheck {
  return {
    domain: 'queue',
    weight: 0.23,
    check: async () => {
      const counts = await jobs.counts()
      const { pending: depth, oldestAgeSec, deadRate, leaseAnomalies } = counts
      return {
        fields: { depth, oldestAgeSec, deadRate, leaseAnomalies },
        findings: listFindings(counts),
      }
    },
  }
}

const nudge = { command: 'reverie pipeline nudge', route: 'POST /api/pipeline/nudge' }
const release = {
  command: 'reverie repair release-leases',
  route: 'POST /api/repair/release-leases',
}
const requeue = {
  command: 'reverie repair requeue-dead',
  route: 'POST /api/repair/requeue-dead',
}

function listFindings({ pending, oldestAgeSec, deadRate, leaseAnomalies }: Counts) {
  const rate = `${Math.round(deadRate * 100)} % of the last hour's jobs died`
  return toFindings([
    pending > maxDepth && {
      code: 'queue_depth',
      penalty: 0.3,
      detail: `${pending} jobs wait`,
      fix: nudge,
    },
    deadRate > maxDeadRate && { code: 'dead_rate', penalty: 0.3, detail: rate, fix: requeue },
    oldestAgeSec > maxAgeSec && {
      code: 'oldest_age',
      penalty: 0.2,
      detail: `a job has waited for ${oldestAgeSec} s`,
      fix: nudge,
    },
    leaseAnomalies > 0 && {
      code: 'lease_anomalies',
      penalty: 0.2,
      detail: `${leaseAnomalies} jobs run that are older than ten minutes`,
      fix: release,
    },
  ])
}

/** The domain of all model providers: its score is the share of successful calls. */
export function providerDomain(calls: Pick<ProviderCalls, 'recent'>): DomainCheck {
  return {
    domain: 'provider',
    weight: 0.2,
    check: async () => {
      const outcomes = calls.recent().map(({ outcome }) => outcome)
      const count = (name: string) => outcomes.filter((outcome) => outcome === name).length
      const recentTotal = outcomes.length
      const recentSuccesses = count('success')
      const availabilityRate = recentTotal === 0 ? 1 : recentSuccesses / recentTotal
      const failed = recentTotal - recentSuccesses
      const finding = {
        code: 'availability',
        penalty: 1 - availabilityRate,
        detail: `${failed} of the last ${recentTotal} model calls failed`,
        fix: { command: 'reverie inference status', route: 'GET /api/inference/status' },
      }
      return {
        fields: {
          recentTotal,
          recentSuccesses,
          recentFailures: count('failure'),
          recentTimeouts: count('timeout'),
          availabilityRate,
        },
        findings: failed > 0 ? [finding] : [],
      }
    },
  }
}
