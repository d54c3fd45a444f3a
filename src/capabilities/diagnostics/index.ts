import { createIntegrityCheck } from './database-checks.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { diagnosticsRoutes } from './routes.ts'

export type { Self } from './needs.ts'

export function createDiagnostics(needs: DiagnosticsNeeds) {
  const integrity = createIntegrityCheck(needs)
  return {
    routes: diagnosticsRoutes({ ...needs, integrity }),
    /** Runs after the start; takes time in proportion to the database size. */
    checkIntegrity: integrity.run,
  }
}

export const diagnosticsModule = { name: 'diagnostics' } as const
