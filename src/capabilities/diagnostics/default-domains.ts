import type { DomainCheck } from '../../kernel/capability/domain.ts'

/** The domains of the contract that no capability contributes: zeros, healthy, not configured. */
export const defaultDomains: readonly DomainCheck[] = [
  absent('provider', 0.2, {
    recentTotal: 0,
    recentSuccesses: 0,
    recentFailures: 0,
    recentTimeouts: 0,
    availabilityRate: 1,
  }),
  absent('connector', 0.05, {
    connectorCount: 0,
    syncingCount: 0,
    errorCount: 0,
    oldestErrorAge: 0,
  }),
  absent('update', 0.1, {
    autoInstallEnabled: false,
    lastCheckSucceeded: null,
    lastCheckAgeHours: null,
    pendingRestart: null,
    lastError: null,
  }),
  absent('graph', 0.05, {
    extractionWritesEnabled: null,
    entityCount: 0,
    edgeCount: 0,
    communityCount: 0,
    modularity: null,
    quality: 'unknown',
  }),
]

function absent(domain: string, weight: number, fields: Record<string, unknown>): DomainCheck {
  return {
    domain,
    weight,
    check: async () => ({ fields: { ...fields, configured: false }, findings: [] }),
  }
}
