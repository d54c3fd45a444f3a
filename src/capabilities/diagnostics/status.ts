import type { z } from 'zod'
import type { Health } from '../../kernel/health/health.ts'
import { runChecks } from '../../kernel/health/run-checks.ts'
import { measureDatabase, measureFootprint } from './footprint.ts'
import { readProcess, toChecks } from './health.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import type { ReadReport } from './report.ts'
import type { statusReply } from './schemas.ts'

type StatusNeeds = DiagnosticsNeeds & { readonly report: ReadReport }

const loopback = ['127.0.0.1', '::1', 'localhost']

/** Components without a report appear as `unknown` or `disabled`. */
export async function readStatus(needs: StatusNeeds): Promise<z.input<typeof statusReply>> {
  const { self, settings } = needs
  const [footprint, databaseBytes, agentCreatedAt, reported, { composite }] = await Promise.all([
    measureFootprint(),
    measureDatabase(needs),
    needs.agentCreatedAt(self.agentId),
    runChecks(needs.host, needs.checks.list()),
    needs.report(),
  ])
  const { bindHost } = self
  const detailsOf = (name: string) => reported[name]?.details ?? {}
  const { active = 0, bypassed = 0, ...sessions } = detailsOf('sessions')
  const { live = null, deleted = null } = detailsOf('memory')
  const dreaming = { ...noDreaming, ...detailsOf('dreaming') }
  return {
    status: 'running',
    runtime: `node ${process.version}`,
    ...readProcess(needs),
    startedAt: self.startedAt.toISOString(),
    host: bindHost,
    bindHost,
    agentsDir: self.workspace,
    agentCreatedAt,
    networkMode: loopback.includes(bindHost) ? 'localhost' : 'network',
    agentId: self.agentId,
    memoryDb: self.databaseFile ?? self.databaseServer ?? self.engine,
    workspaceLayout: 'single',
    resources: { ...footprint, databaseBytes },
    memories: {
      live,
      deleted,
      bytesPerMemory: live ? Math.round(databaseBytes / Number(live)) : null,
    },
    database: { lanes: [], ...detailsOf('database') },
    workers: { jobs: detailsOf('queue')['workers'] ?? null },
    settings: { problem: settings.problem() ?? null, waitingForRestart: settings.waiting() },
    pipelineV2: settings.pipeline(),
    pipeline: {
      queue: {
        memory: toQueueCounts(reported['queue']),
        summary: emptyQueue,
        oldestDeadSummaryJob: null,
      },
      dreaming,
    },
    dreaming,
    providerResolution: { extraction: { ...noExtraction, ...detailsOf('inference') } },
    logging: { logDir: self.logDir, logFile: needs.entries.file ?? null },
    activeSessions: active,
    bypassedSessions: bypassed,
    sessions: { lifecycle: 'disabled', ...sessions },
    ...(reported['transcripts'] && { transcripts: detailsOf('transcripts') }),
    health: { ...composite, checks: toChecks(reported) },
    update: { ...noUpdate, currentVersion: self.version, ...detailsOf('update') },
    embedding: { ...noEmbedding, ...detailsOf('embedding') },
  }
}

function toQueueCounts(queue: Health | undefined) {
  if (!queue || queue.status === 'unknown') return unknownQueue
  const { workers: _, ...counts } = queue.details
  return { ...counts, completeness: 'exact' }
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
