import type { z } from 'zod'
import type { Health } from '../../kernel/health/health.ts'
import { runChecks } from '../../kernel/health/run-checks.ts'
import { type IntegrityCheck, probeDatabase } from './database-checks.ts'
import { measureFootprint } from './footprint.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import type { healthReply, liveReply, readyReply } from './schemas.ts'

export type HealthNeeds = DiagnosticsNeeds & { readonly integrity: IntegrityCheck }

export function readLiveness(needs: DiagnosticsNeeds): z.input<typeof liveReply> {
  return { status: 'alive', ...readProcess(needs) }
}

export async function readHealth(needs: HealthNeeds): Promise<z.input<typeof healthReply>> {
  const [{ fields, problems }, resources] = await Promise.all([
    checkDatabase(needs),
    measureFootprint(),
  ])
  const status = problems.length > 0 ? 'degraded' : 'healthy'
  return {
    status: needs.self.stopping() ? 'shutting_down' : status,
    ...readProcess(needs),
    agentsDir: needs.self.workspace,
    ...fields,
    settings: needs.settings.problem() === undefined ? 'ok' : 'broken',
    resources,
    ...needs.update(),
  }
}

export async function readReadiness(needs: HealthNeeds): Promise<z.input<typeof readyReply>> {
  const [{ fields, problems }, checks] = await Promise.all([
    checkDatabase(needs),
    runChecks(needs.host, needs.checks.list()),
  ])
  const { version, stopping } = needs.self
  const shuttingDown = stopping()
  const blockers = [...(shuttingDown ? ['the service is stopping'] : []), ...problems]
  const warnings = Object.entries(checks).flatMap(([name, { reasons }]) =>
    reasons.map((reason) => `${name}: ${reason}`),
  )
  const capabilities = toChecks(checks)
  return {
    status: blockers.length === 0 ? 'ready' : 'not_ready',
    version,
    shuttingDown,
    checks: {
      ...fields,
      // Migrations run before the first request is served.
      migrations: { pending: 0 },
      embedding: { provider: null, available: false, ...capabilities['embedding'] },
      inference: { ...noInference, ...capabilities['inference'] },
      queue: { status: 'disabled', ...capabilities['queue'] },
      capabilities,
    },
    reasons: [...blockers, ...warnings],
  }
}

const noInference = {
  status: 'disabled',
  configured: null,
  effective: null,
  reason: 'no model is configured',
}

export function readProcess({ host, self, eventLoop }: DiagnosticsNeeds) {
  return {
    uptime: (host.now().getTime() - self.startedAt.getTime()) / 1000,
    pid: process.pid,
    version: self.version,
    port: self.port(),
    shuttingDown: self.stopping(),
    eventLoop: eventLoop(),
  }
}

export function toChecks(checks: Readonly<Record<string, Health>>) {
  return Object.fromEntries(
    Object.entries(checks).map(([name, { status, reasons, details }]) => [
      name,
      { status, reasons: [...reasons], ...details },
    ]),
  )
}

/** The fields of a reply, and the problems that block readiness. */
async function checkDatabase(needs: HealthNeeds) {
  const { reader, writer } = await probeDatabase(needs)
  const databaseIntegrity = needs.integrity.result()
  const { state, detail } = databaseIntegrity
  const isDamaged = state === 'corrupt' || state === 'unavailable'
  const problems = [
    ...(reader === 'ok' ? [] : [`the database cannot be read: ${reader}`]),
    ...(isDamaged ? [`the integrity of the database is ${state}: ${detail}`] : []),
  ]
  const fields = {
    db: reader === 'ok',
    dbReader: reader,
    dbWriter: writer,
    dbRuntime: needs.self.engine,
    databaseIntegrity,
  }
  return { fields, problems }
}
