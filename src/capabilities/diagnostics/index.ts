import { createIntegrityCheck } from './database-checks.ts'
import { createIndexRepair } from './index-repair.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { createReport } from './report.ts'
import { reportReply, reportRoutes, toReportReply } from './report-routes.ts'
import { diagnosticsRoutes } from './routes.ts'

export type { Self } from './needs.ts'
export { reportReply }

export function createDiagnostics(needs: DiagnosticsNeeds) {
  const integrity = createIntegrityCheck(needs)
  const report = createReport(needs)
  return {
    routes: [
      ...diagnosticsRoutes({ ...needs, integrity, report }),
      ...reportRoutes({ ...needs, integrity, report }),
    ],
    report,
    /** The report as callers see it. */
    reportReply: async () => toReportReply(await report()),
    repairs: [createIndexRepair(needs)],
    /** Runs after the start; takes time in proportion to the database size. */
    checkIntegrity: integrity.run,
  }
}

export const diagnosticsModule = { name: 'diagnostics' } as const
