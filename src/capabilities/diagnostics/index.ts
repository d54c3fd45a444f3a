import { createIntegrityCheck } from './database-checks.ts'
import { createIndexRepair } from './index-repair.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { createReport } from './report.ts'
import { reportRoutes } from './report-routes.ts'
import { diagnosticsRoutes } from './routes.ts'

export type { Self } from './needs.ts'

export function createDiagnostics(needs: DiagnosticsNeeds) {
  const integrity = createIntegrityCheck(needs)
  const report = createReport(needs)
  return {
    routes: [
      ...diagnosticsRoutes({ ...needs, integrity, report }),
      ...reportRoutes({ ...needs, integrity, report }),
    ],
    report,
    repairs: [createIndexRepair(needs)],
    /** Runs after the start; takes time in proportion to the database size. */
    checkIntegrity: integrity.run,
  }
}

export const diagnosticsModule = { name: 'diagnostics' } as const
