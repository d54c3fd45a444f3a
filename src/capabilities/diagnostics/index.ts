import { createIntegrityCheck } from './integrity.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { diagnosticsRoutes } from './routes.ts'

export type { Self } from './needs.ts'

export function createDiagnostics(needs: DiagnosticsNeeds) {
  const integrity = createIntegrityCheck(needs)
  return {
    routes: diagnosticsRoutes({ ...needs, integrity }),
    /** For after the start: takes as long as the database is large. */
    checkIntegrity: integrity.run,
  }
}

export const diagnosticsModule = { name: 'diagnostics' } as const
