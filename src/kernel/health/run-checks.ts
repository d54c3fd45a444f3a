import { messageOf } from '../errors/system-error.ts'
import type { Host } from '../host/host.ts'
import { withTimeout } from '../host/with-timeout.ts'
import type { Health, HealthCheck } from './health.ts'

const deadlineMs = 2_000

/** Runs the health checks. A check that fails or times out is reported as unhealthy. */
export async function runChecks(
  host: Pick<Host, 'sleep'>,
  checks: readonly HealthCheck[],
): Promise<Readonly<Record<string, Health>>> {
  const results = checks.map(async ({ name, check }) => {
    const health = await withTimeout(host, deadlineMs, run(check))
    return [name, health ?? unknown('its check takes too long')] as const
  })
  return Object.fromEntries(await Promise.all(results))
}

async function run(check: HealthCheck['check']): Promise<Health> {
  try {
    return await check()
  } catch (error) {
    return unknown(`its check failed: ${messageOf(error)}`)
  }
}

function unknown(reason: string): Health {
  return { status: 'unknown', reasons: [reason], details: {} }
}
