import type { Health } from '../../kernel/health/health.ts'
import { runChecks } from '../../kernel/health/run-checks.ts'
import { type Footprint, measureDatabase, measureFootprint } from './footprint.ts'
import type { DiagnosticsNeeds, Self } from './needs.ts'
import { type Liveness, readLiveness } from './read-health.ts'

export interface ServiceStatus extends Liveness {
  readonly self: Self
  readonly footprint: Footprint
  readonly databaseBytes: number
  readonly agentCreatedAt: string | null
  readonly pipeline: Readonly<Record<string, unknown>>
  readonly problem: string | null
  readonly waiting: readonly string[]
  /** Null when the log is kept in no file. */
  readonly logFile: string | null
  readonly reported: Readonly<Record<string, Health>>
}

export async function readStatus(needs: DiagnosticsNeeds): Promise<ServiceStatus> {
  const { self, settings } = needs
  const [footprint, databaseBytes, agentCreatedAt, reported] = await Promise.all([
    measureFootprint(),
    measureDatabase(needs),
    needs.agentCreatedAt(self.agentId),
    runChecks(needs.host, needs.checks.list()),
  ])
  return {
    ...readLiveness(needs),
    footprint,
    databaseBytes,
    agentCreatedAt,
    reported,
    pipeline: settings.pipeline(),
    problem: settings.problem() ?? null,
    waiting: settings.waiting(),
    logFile: needs.entries.file ?? null,
  }
}
