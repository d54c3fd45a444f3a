import type { DomainFinding } from '../../kernel/capability/domain.ts'

export type DomainStatus = 'healthy' | 'degraded' | 'unhealthy'

/** 1 minus the penalties, from 0 to 1, without the rounding errors of their sum. */
export function toScore(findings: readonly Pick<DomainFinding, 'penalty'>[]): number {
  const score = findings.reduce((left, { penalty }) => left - penalty, 1)
  return round(Math.min(1, Math.max(0, score)))
}

/** Thresholds of the contract. */
export function toStatus(score: number): DomainStatus {
  if (score >= 0.8) return 'healthy'
  return score >= 0.5 ? 'degraded' : 'unhealthy'
}

const severities = ['healthy', 'degraded', 'unhealthy'] as const

function findWorst(statuses: readonly DomainStatus[]): DomainStatus {
  const worst = Math.max(0, ...statuses.map((status) => severities.indexOf(status)))
  return severities[worst] ?? 'healthy'
}

interface Scored {
  readonly score: number
  readonly status: DomainStatus
  readonly weight: number | null
}

/** The weighted sum of the scores, and the worst status of all domains. */
export function toComposite(domains: readonly Scored[]) {
  const sum = domains.reduce((total, { score, weight }) => total + score * (weight ?? 0), 0)
  return { score: round(sum), status: findWorst(domains.map(({ status }) => status)) }
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
