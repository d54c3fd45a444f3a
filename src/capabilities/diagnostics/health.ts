import type { Health } from '../../kernel/health/health.ts'
import { runChecks } from '../../kernel/health/run-checks.ts'
import {
  type Integrity,
  type IntegrityCheck,
  type Probe,
  probeDatabase,
} from './database-checks.ts'
import { type Footprint, measureDatabase, measureFootprint } from './footprint.ts'
import type { DiagnosticsNeeds, EventLoop, Self } from './needs.ts'

export type HealthNeeds = DiagnosticsNeeds & { readonly integrity: IntegrityCheck }

export interface Liveness {
  readonly uptimeSeconds: number
  readonly self: Self
  readonly eventLoop: EventLoop | null
}

export interface ServiceHealth extends Liveness {
  readonly status: 'healthy' | 'degraded' | 'shutting_down'
  readonly probe: Probe
  readonly integrity: Integrity
  readonly footprint: Footprint
  readonly settings: 'ok' | 'broken'
}

export interface Readiness {
  readonly ready: boolean
  readonly self: Self
  readonly probe: Probe
  readonly integrity: Integrity
  readonly reported: Readonly<Record<string, Health>>
  readonly reasons: readonly string[]
}

export function readLiveness({ host, self, eventLoop }: DiagnosticsNeeds): Liveness {
  const uptimeSeconds = (host.now().getTime() - self.startedAt.getTime()) / 1000
  return { uptimeSeconds, self, eventLoop: eventLoop() }
}

export async function readHealth(needs: HealthNeeds): Promise<ServiceHealth> {
  const [probe, footprint] = await Promise.all([probeDatabase(needs), measureFootprint()])
  const integrity = needs.integrity.result()
  const isIll = findObstacles(probe, integrity).length > 0
  return {
    ...readLiveness(needs),
    status: needs.self.stopping() ? 'shutting_down' : isIll ? 'degraded' : 'healthy',
    settings: needs.settings.problem() === undefined ? 'ok' : 'broken',
    probe,
    integrity,
    footprint,
  }
}

export async function readReadiness(needs: HealthNeeds): Promise<Readiness> {
  const { self } = needs
  const [probe, reported] = await Promise.all([
    probeDatabase(needs),
    runChecks(needs.host, needs.checks.list()),
  ])
  const integrity = needs.integrity.result()
  const blockers = [
    ...(self.stopping() ? ['the service is stopping'] : []),
    ...findObstacles(probe, integrity),
  ]
  const warnings = Object.entries(reported).flatMap(([name, { reasons }]) =>
    reasons.map((reason) => `${name}: ${reason}`),
  )
  const reasons = [...blockers, ...warnings]
  return { ready: blockers.length === 0, self, probe, integrity, reported, reasons }
}

function findObstacles({ reader }: Probe, { state, detail }: Integrity): string[] {
  return [
    ...(reader === 'ok' ? [] : [`the database cannot be read: ${reader}`]),
    ...(state === 'corrupt' || state === 'unavailable'
      ? [`the integrity of the database is ${state}: ${detail}`]
      : []),
  ]
}

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
