export interface Health {
  readonly status: 'ok' | 'degraded' | 'disabled' | 'unknown'
  /** Why, in words; empty when all is well. */
  readonly reasons: readonly string[]
  /** The numbers behind it, as they are told. */
  readonly details: Readonly<Record<string, unknown>>
  /** From 0 to 1, of a part that counts towards the score of the service. */
  readonly score?: number
}

/** What a part of the service offers to say of itself. */
export interface HealthCheck {
  /** The word it is told under, such as `queue`. */
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
