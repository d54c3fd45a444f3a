/** What a capability says of itself; the daemon hands the checks over. Never gates readiness. */
export interface HealthCheck {
  readonly name: string
  check(): Promise<Health>
}

export interface Health {
  readonly status: 'ok' | 'degraded' | 'disabled' | 'unknown'
  /** Why, in words; empty when all is well. */
  readonly reasons: readonly string[]
  readonly [detail: string]: unknown
}

/** A check that fails is itself a finding. */
export async function runChecks(
  checks: readonly HealthCheck[],
): Promise<Readonly<Record<string, Health>>> {
  const found = checks.map(async ({ name, check }): Promise<readonly [string, Health]> => {
    try {
      return [name, await check()]
    } catch (error) {
      const reason = `its check failed: ${error instanceof Error ? error.message : error}`
      return [name, { status: 'unknown', reasons: [reason] }]
    }
  })
  return Object.fromEntries(await Promise.all(found))
}
