import { z } from 'zod'
import type { Health } from '../../kernel/health/health.ts'
import type { ServiceStatus } from './health.ts'
import { toChecks, toProcessFields, toResources } from './schemas.ts'

export const statusReply = z.looseObject({
  status: z.literal('running'),
  version: z.string(),
  pid: z.int(),
  uptime: z.number(),
  port: z.int().nullable(),
  health: z.looseObject({ status: z.string() }),
})

const loopback = ['127.0.0.1', '::1', 'localhost']

/** Components without a report appear as `unknown` or `disabled`. */
export function toStatusReply(status: ServiceStatus): z.input<typeof statusReply> {
  const { self, reported, agentCreatedAt, pipeline } = status
  const { bindHost, logDir, workspace: agentsDir } = self
  const detailsOf = (name: string) => reported[name]?.details ?? {}
  const { active = 0, bypassed = 0, ...sessions } = detailsOf('sessions')
  return {
    status: 'running',
    runtime: `node ${process.version}`,
    ...toProcessFields(status),
    startedAt: self.startedAt.toISOString(),
    host: bindHost,
    bindHost,
    agentsDir,
    agentCreatedAt,
    networkMode: loopback.includes(bindHost) ? 'localhost' : 'network',
    agentId: self.agentId,
    memoryDb: self.databaseFile ?? self.databaseServer ?? self.engine,
    workspaceLayout: 'single',
    ...toSizes(status),
    settings: { problem: status.problem, waitingForRestart: status.waiting },
    pipelineV2: pipeline,
    pipeline: {
      queue: {
        memory: toQueueCounts(reported['queue']),
        summary: emptyQueue,
        oldestDeadSummaryJob: null,
      },
      dreaming: { ...noDreaming, ...detailsOf('dreaming') },
    },
    dreaming: { ...noDreaming, ...detailsOf('dreaming') },
    providerResolution: { extraction: { ...noExtraction, ...detailsOf('inference') } },
    logging: { logDir, logFile: status.logFile },
    activeSessions: active,
    bypassedSessions: bypassed,
    sessions: { lifecycle: 'disabled', ...sessions },
    ...(reported['transcripts'] && { transcripts: detailsOf('transcripts') }),
    health: { score: scoreOf(reported), status: toOverall(reported), checks: toChecks(reported) },
    update: { ...noUpdate, currentVersion: self.version, ...detailsOf('update') },
    embedding: { ...noEmbedding, ...detailsOf('embedding') },
  }
}

function toSizes({ footprint, databaseBytes, reported }: ServiceStatus) {
  const { live = null, deleted = null } = reported['memory']?.details ?? {}
  const bytesPerMemory = live ? Math.round(databaseBytes / Number(live)) : null
  return {
    resources: { ...toResources(footprint), databaseBytes },
    memories: { live, deleted, bytesPerMemory },
    database: { lanes: [], ...reported['database']?.details },
    workers: { jobs: reported['queue']?.details['workers'] ?? null },
  }
}

function toQueueCounts(queue: Health | undefined) {
  if (!queue || queue.status === 'unknown') return unknownQueue
  const { workers: _, ...counts } = queue.details
  return { ...counts, completeness: 'exact' }
}

function toOverall(reported: ServiceStatus['reported']): string {
  const hasReasons = Object.values(reported).some(({ reasons }) => reasons.length > 0)
  return hasReasons ? 'degraded' : 'healthy'
}

const unknownQueue = {
  pending: 0,
  leased: 0,
  completed: 0,
  failed: 0,
  dead: 0,
  oldestAgeSec: null,
  oldestDeadAgeSec: null,
  lastError: null,
  completeness: 'unknown',
}
/** No job writes summaries. */
const emptyQueue = { ...unknownQueue, oldestAgeSec: 0, oldestDeadAgeSec: 0, completeness: 'exact' }
const noDreaming = { enabled: false, workerRunning: false, blockedBy: 'disabled' }
const noExtraction = {
  configured: null,
  resolved: null,
  effective: null,
  fallbackProvider: null,
  status: 'disabled',
  degraded: false,
  fallbackApplied: false,
  since: null,
  reason: 'no model is configured',
}
const noUpdate = {
  latestVersion: null,
  updateAvailable: false,
  pendingRestart: null,
  autoInstall: false,
  checkInterval: null,
  lastCheckAt: null,
  lastError: null,
  timerActive: false,
}
const noEmbedding = { provider: null, model: null, available: false, usage: null, migration: null }

/** Weights of the domains queue, index and storage, by health check. */
const weights: Readonly<Record<string, number>> = { queue: 0.23, embedding: 0.15, memory: 0.1 }

/** Weighted mean of the reported scores, 0 to 1, rounded to hundredths; null without scores. */
export function scoreOf(reported: Readonly<Record<string, Health>>): number | null {
  let [sum, weight] = [0, 0]
  for (const [name, { score }] of Object.entries(reported)) {
    const counts = score === undefined ? 0 : (weights[name] ?? 0)
    sum += counts * (score ?? 0)
    weight += counts
  }
  return weight === 0 ? null : Math.round((100 * sum) / weight) / 100
}
