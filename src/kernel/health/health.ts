export interface Health {
  readonly status: 'ok' | 'degraded' | 'disabled' | 'unknown'
  /** The reasons for degradation; empty when healthy. */
  readonly reasons: readonly string[]
  /** Details for the reply. */
  readonly details: Readonly<Record<string, unknown>>
  /** From 0 to 1; only for components that affect the score of the service. */
  readonly score?: number
}

/** The health check of one component. */
export interface HealthCheck {
  /** The key in the reply, such as `queue`. */
  readonly name: string
  check(): Promise<Health>
}

/** Healthy unless a reason is given. */
export function toHealth(
  reasons: readonly (string | false | undefined)[],
  details: Health['details'] = {},
  score?: number,
): Health {
  const present = reasons.filter((reason) => reason !== false && reason !== undefined)
  const status = present.length === 0 ? 'ok' : 'degraded'
  return { status, reasons: present, details, ...(score !== undefined && { score }) }
}
