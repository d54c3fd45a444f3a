export interface Health {
  readonly status: 'ok' | 'degraded' | 'disabled' | 'unknown'
  /** Why, in words; empty when all is well. */
  readonly reasons: readonly string[]
  /** Details for the reply. */
  readonly details: Readonly<Record<string, unknown>>
  /** From 0 to 1, of a part that counts towards the score of the service. */
  readonly score?: number
}

/** The health check of one component. */
export interface HealthCheck {
  /** The key in the reply, such as `queue`. */
  readonly name: string
  check(): Promise<Health>
}

/** Well, unless there is a reason that it is not. */
export function toHealth(
  reasons: readonly (string | false | undefined)[],
  details: Health['details'] = {},
  score?: number,
): Health {
  const present = reasons.filter((reason) => reason !== false && reason !== undefined)
  const status = present.length === 0 ? 'ok' : 'degraded'
  return { status, reasons: present, details, ...(score !== undefined && { score }) }
}
