import { z } from 'zod'
import type { Health } from '../../kernel/health/health.ts'
import type { Footprint } from './footprint.ts'
import type { Liveness, Readiness, ServiceHealth, ServiceStatus } from './health.ts'

const probeResult = z.enum(['ok', 'busy', 'failed'])
const integrity = z.object({
  state: z.enum(['ok', 'unknown', 'corrupt', 'unavailable']),
  checkedAt: z.iso.datetime().optional(),
  detail: z.string().optional(),
})
const eventLoop = z
  .object({ p50: z.number(), p99: z.number(), max: z.number(), slowest: z.string().nullable() })
  .nullable()
const resources = z.object({
  rssBytes: z.int(),
  heapUsedBytes: z.int(),
  loadAverage: z.array(z.number()),
  threads: z.int().nullable(),
  descriptors: z.int().nullable(),
})
const processFields = {
  uptime: z.number(),
  /** Absent, like the workspace, for remote callers without a token. */
  pid: z.int().optional(),
  version: z.string(),
  port: z.int().nullable(),
  shuttingDown: z.boolean(),
  eventLoop,
}

export const liveReply = z.object({ status: z.literal('alive'), ...processFields })

export const healthReply = z.object({
  status: z.enum(['healthy', 'degraded', 'shutting_down']),
  ...processFields,
  agentsDir: z.string().optional(),
  db: z.boolean(),
  dbWriter: probeResult,
  dbReader: probeResult,
  dbRuntime: z.string(),
  databaseIntegrity: integrity,
  settings: z.enum(['ok', 'broken']),
  updateAvailable: z.boolean(),
  pendingRestart: z.string().nullable(),
  resources,
})

const checks = z.record(z.string(), z.looseObject({ status: z.string() }))

export const readyReply = z.object({
  status: z.enum(['ready', 'not_ready']),
  version: z.string(),
  shuttingDown: z.boolean(),
  checks: z.object({
    db: z.boolean(),
    dbReader: probeResult,
    dbWriter: probeResult,
    dbRuntime: z.string(),
    migrations: z.object({ pending: z.int() }),
    databaseIntegrity: integrity,
    embedding: z.looseObject({ provider: z.string().nullable(), available: z.boolean() }),
    inference: z.looseObject({ status: z.string() }),
    queue: z.looseObject({ status: z.string() }),
    capabilities: checks,
  }),
  reasons: z.array(z.string()),
})

export const modeReply = z.object({ mode: z.string(), requiresAuth: z.boolean() })

export function toLiveReply(live: Liveness): z.input<typeof liveReply> {
  return { status: 'alive', ...toProcessFields(live) }
}

export function toHealthReply(health: ServiceHealth): z.input<typeof healthReply> {
  const { status, self, integrity: databaseIntegrity, settings, footprint } = health
  return {
    status,
    ...toProcessFields(health),
    agentsDir: self.workspace,
    ...toDatabaseFields(health),
    databaseIntegrity,
    settings,
    resources: toResources(footprint),
    updateAvailable: false,
    pendingRestart: null,
  }
}

/** Removes the fields that remote callers see only with a token. */
export function withoutMachineFields<Reply extends { pid?: unknown; agentsDir?: unknown }>(
  reply: Reply,
) {
  const { pid, agentsDir, ...rest } = reply
  return rest
}

export function toReadyReply(readiness: Readiness): z.input<typeof readyReply> {
  const { ready, self, integrity: databaseIntegrity, reasons, reported } = readiness
  const detailsOf = (name: string) => reported[name] && toCheck(reported[name])
  return {
    status: ready ? 'ready' : 'not_ready',
    version: self.version,
    shuttingDown: self.stopping(),
    checks: {
      ...toDatabaseFields(readiness),
      // Migrations run before the first request is served.
      migrations: { pending: 0 },
      databaseIntegrity,
      embedding: { provider: null, available: false, ...detailsOf('embedding') },
      inference: { ...noInference, ...detailsOf('inference') },
      queue: { status: 'disabled', ...detailsOf('queue') },
      capabilities: toChecks(reported),
    },
    reasons: [...reasons],
  }
}

const noInference = {
  status: 'disabled',
  configured: null,
  effective: null,
  reason: 'no model is configured',
}

export function toChecks(reported: Readonly<Record<string, Health>>): z.input<typeof checks> {
  return Object.fromEntries(
    Object.entries(reported).map(([name, health]) => [name, toCheck(health)]),
  )
}

function toCheck({ status, reasons, details }: Health) {
  return { status, reasons: [...reasons], ...details }
}

export function toResources({ loadAverage, ...footprint }: Footprint): z.input<typeof resources> {
  return { ...footprint, loadAverage: [...loadAverage] }
}

export function toProcessFields({
  uptimeSeconds: uptime,
  self,
  eventLoop,
}: Liveness | ServiceStatus) {
  const { pid } = process
  const shuttingDown = self.stopping()
  return { uptime, pid, shuttingDown, eventLoop, version: self.version, port: self.port() }
}

function toDatabaseFields({ self, probe }: Pick<Readiness, 'self' | 'probe'>) {
  return {
    db: probe.reader === 'ok',
    dbReader: probe.reader,
    dbWriter: probe.writer,
    dbRuntime: self.engine,
  }
}
