import type { DomainCheck, DomainFinding, DomainResult } from '../../kernel/capability/domain.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import { defaultDomains } from './default-domains.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { toComposite, toScore, toStatus } from './score.ts'

type ReportNeeds = Pick<DiagnosticsNeeds, 'domains' | 'host' | 'log'>

/** Time after which a check is late. */
const deadlineMs = 2_000
/** A poll never runs the checks back to back. */
const cacheMs = 5_000
const latePenalty = 0.5

/** Fields of the domain, and `score` and `status` of a scored one. */
type DomainReport = Readonly<Record<string, unknown>> & {
  readonly reasons: readonly Omit<DomainFinding, 'penalty'>[]
  /** When its oldest figures were read, ISO. */
  readonly measuredAt: string
  /** A check was late or failed: these are its last figures. */
  readonly stale?: true
}

export interface Report {
  readonly timestamp: string
  readonly domains: ReadonlyMap<string, DomainReport>
  readonly composite: ReturnType<typeof toComposite>
}

export type ReadReport = () => Promise<Report>

/** Reads the report of all domains, at most every five seconds. */
export function createReport(needs: ReportNeeds): ReadReport {
  const runCheck = createRunner(needs)
  const measure = async (): Promise<Report> => {
    const contributed = needs.domains.list()
    const names = contributed.map(({ domain }) => domain)
    const missing = defaultDomains.filter(({ domain }) => !names.includes(domain))
    const parts = await Promise.all(
      [...contributed, ...missing].map(async (check) => ({
        check,
        outcome: await runCheck(check),
      })),
    )
    const domains = [...Map.groupBy(parts, ({ check }) => check.domain)].map(([domain, group]) =>
      toDomain(domain, group),
    )
    return {
      timestamp: needs.host.now().toISOString(),
      domains: new Map(domains.map(({ domain, report }) => [domain, report])),
      composite: toComposite(domains.flatMap(({ scored }) => scored ?? [])),
    }
  }
  let cached: { readonly report: Promise<Report>; readonly readAt: number } | undefined
  return () => {
    const now = needs.host.now().getTime()
    // A clock that is set back does not extend the cache.
    if (cached && Math.abs(now - cached.readAt) < cacheMs) return cached.report
    const report = measure()
    cached = { report, readAt: now }
    report.catch(() => {
      cached = undefined
    })
    return report
  }
}

interface Outcome extends DomainResult {
  readonly measuredAt: string
  readonly stale?: true
}

/** Runs each check once at a time: the next report joins a late check. */
function createRunner({ host, log }: ReportNeeds) {
  const running = new Map<DomainCheck, Promise<Outcome | undefined>>()
  const last = new Map<DomainCheck, Outcome>()
  const run = async (domain: DomainCheck): Promise<Outcome | undefined> => {
    try {
      const outcome = { ...(await domain.check()), measuredAt: host.now().toISOString() }
      last.set(domain, outcome)
      return outcome
    } catch (error) {
      log.warn({ err: error, domain: domain.domain }, 'diagnostics check failed')
      return undefined
    } finally {
      running.delete(domain)
    }
  }
  return async (domain: DomainCheck): Promise<Outcome> => {
    const current = running.get(domain) ?? run(domain)
    running.set(domain, current)
    const outcome = await withTimeout(host, deadlineMs, current)
    const known = last.get(domain)
    if (outcome) return outcome
    if (known) return { ...known, stale: true }
    const findings = [toLateFinding(domain.domain)]
    return { fields: {}, findings, measuredAt: host.now().toISOString(), stale: true }
  }
}

function toLateFinding(domain: string): DomainFinding {
  return {
    code: 'timed_out',
    penalty: latePenalty,
    detail: `the figures of ${domain} are missing: its check failed or takes too long`,
    fix: { command: 'reverie logs --level warn', route: 'GET /api/logs' },
  }
}

interface Part {
  readonly check: DomainCheck
  readonly outcome: Outcome
}

/** Merges the parts of one domain. */
function toDomain(domain: string, parts: readonly Part[]) {
  const outcomes = parts.map(({ outcome }) => outcome)
  const findings = outcomes.flatMap((outcome) => outcome.findings)
  const [measuredAt = ''] = outcomes.map((outcome) => outcome.measuredAt).toSorted()
  const score = toScore(findings)
  const status = toStatus(score)
  const isScored = parts.every(({ check }) => check.isScored !== false)
  const weight = parts.find(({ check }) => check.weight !== null)?.check.weight ?? null
  const report: DomainReport = {
    ...Object.assign({}, ...outcomes.map(({ fields }) => fields)),
    ...(isScored && { score, status }),
    reasons: findings.map(({ code, detail, fix }) => ({ code, detail, fix })),
    measuredAt,
    ...(outcomes.some(({ stale }) => stale) && { stale: true }),
  }
  return { domain, report, scored: isScored ? { score, status, weight } : undefined }
}
