import type { HealthCheck } from '../health/health.ts'
import type { DomainCheck } from './domain.ts'

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
