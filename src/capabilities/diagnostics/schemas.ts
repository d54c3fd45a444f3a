import { z } from 'zod'
import * as read from '../../kernel/http/wire-values.ts'

const probeResult = z.enum(['ok', 'busy', 'failed'])
export const integrity = z.object({
  state: z.enum(['ok', 'unknown', 'corrupt', 'unavailable']),
  checkedAt: z.iso.datetime().optional(),
  detail: z.string().optional(),
})
const eventLoop = z
  .object({ p50: z.number(), p99: z.number(), max: z.number(), slowest: z.string().nullable() })
  .nullable()
export const resources = z.object({
  rssBytes: z.int(),
  heapUsedBytes: z.int(),
  loadAverage: z.array(z.number()),
  /** Threads and open descriptors; null if the operating system does not report them. */
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

/** In ascending severity. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const

export const logsQuery = z.object({
  limit: read.integer('limit', { min: 1, max: 1000, default: 100 }),
  /** The minimum level. */
  level: z.enum(logLevels, `level must be one of ${logLevels.join(', ')}`).optional(),
  category: read.text,
  since: read.time('since'),
})

export const logsReply = z.object({
  logs: z.array(
    z.object({
      at: z.string(),
      timestamp: z.string(),
      level: z.string(),
      category: z.string(),
      message: z.string(),
      /** The other fields of the line, without credentials; at most 4 KiB. */
      data: z.record(z.string(), z.unknown()).optional(),
      /** In milliseconds. */
      duration: z.number().optional(),
      error: z
        .object({ name: z.string(), message: z.string(), stack: z.string().optional() })
        .optional(),
    }),
  ),
  count: z.int(),
})

export const statusReply = z.looseObject({
  status: z.literal('running'),
  version: z.string(),
  pid: z.int(),
  uptime: z.number(),
  port: z.int().nullable(),
  health: z.looseObject({ status: z.string() }),
})
