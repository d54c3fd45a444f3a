import type { HealthCheck } from '../health/health.ts'

/** A scored part of the diagnostics report. Checks of one domain are merged. */
export interface DomainCheck {
  /** Its key in the reply, such as `queue`. */
  readonly domain: string
  /** Share of the composite score; null for a domain that does not count. */
  readonly weight: number | null
  /** False for a domain with figures and a status of its own. Default true. */
  readonly isScored?: boolean
  /** Runs on the background lane; a check of more than two seconds is reported as late. */
  check(): Promise<DomainResult>
}

export interface DomainResult {
  readonly fields: Readonly<Record<string, unknown>>
  readonly findings: readonly DomainFinding[]
}

export interface DomainFinding {
  readonly code: string
  /** Subtracted from the score of 1. */
  readonly penalty: number
  /** One sentence without its period, with the figures. */
  readonly detail: string
  /** Null when no command helps. */
  readonly fix: DomainFix | null
}

interface DomainFix {
  /** The exact command line. */
  readonly command: string
  /** The route behind it; null for a command without one. */
  readonly route: string | null
}

/** Lists the findings that apply. */
export function toFindings(
  candidates: readonly (DomainFinding | false | undefined)[],
): readonly DomainFinding[] {
  return candidates.filter((each): each is DomainFinding => each !== false && each !== undefined)
}

const penalty = 0.3

/** A domain of the reasons of a health check, each with the same fix. */
export function toDomainCheck({ name, check }: HealthCheck, command: string): DomainCheck {
  return {
    domain: name,
    weight: null,
    check: async () => {
      const { details, reasons } = await check()
      const fix = { command, route: null }
      const findings = reasons.map((detail) => ({ code: `${name}_degraded`, penalty, detail, fix }))
      return { fields: details, findings }
    },
  }
}
