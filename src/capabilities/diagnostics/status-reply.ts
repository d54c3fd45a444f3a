import { z } from 'zod'
import type { ServiceStatus } from './read-status.ts'
import { toAlive, toResources } from './schemas.ts'

export const statusReply = z.looseObject({
  status: z.literal('running'),
  version: z.string(),
  pid: z.int(),
  uptime: z.number(),
  port: z.int().nullable(),
  health: z.looseObject({ status: z.string() }),
})

const loopback = ['127.0.0.1', '::1', 'localhost']

/** What no part has reported is told as unknown or disabled, never left to be guessed. */
export function toStatusReply(status: ServiceStatus): z.input<typeof statusReply> {
  const { self, reported, footprint, databaseBytes, agentCreatedAt, pipeline } = status
  const { bindHost, logDir, workspace: agentsDir } = self
  return {
    status: 'running',
    runtime: `node ${process.version}`,
    ...toAlive(status),
    startedAt: self.startedAt.toISOString(),
    ...{ host: bindHost, bindHost, agentsDir, agentCreatedAt },
    networkMode: loopback.includes(bindHost) ? 'localhost' : 'network',
    agentId: self.agentId,
    memoryDb: self.databaseFile ?? self.engine,
    workspaceLayout: 'single',
    resources: { ...toResources(footprint), databaseBytes },
    settings: { problem: status.problem, waitingForRestart: status.waiting },
    pipelineV2: pipeline,
    pipeline: {
      queue: { memory: unknownQueue, summary: unknownQueue, oldestDeadSummaryJob: null },
      dreaming: noDreaming,
      ...reported['queue'],
    },
    dreaming: { ...noDreaming, ...reported['dreaming'] },
    providerResolution: { extraction: { ...noExtraction, ...reported['inference'] } },
    logging: { logDir, logFile: status.logFile },
    activeSessions: 0,
    bypassedSessions: 0,
    sessions: { lifecycle: 'disabled', ...reported['sessions'] },
    health: { score: null, status: 'unknown', checks: reported },
    update: { ...noUpdate, currentVersion: self.version, ...reported['update'] },
    embedding: { ...noEmbedding, ...reported['embedding'] },
  }
}

const unknownQueue = {
  ...{ pending: 0, leased: 0, completed: 0, failed: 0, dead: 0 },
  ...{ oldestAgeSec: null, oldestDeadAgeSec: null, lastError: null, completeness: 'unknown' },
}
const noDreaming = { enabled: false, workerRunning: false, blockedBy: 'disabled' }
const noExtraction = {
  ...{ configured: null, resolved: null, effective: null, fallbackProvider: null },
  ...{ status: 'disabled', degraded: false, fallbackApplied: false, since: null },
  reason: 'no model is configured',
}
const noUpdate = {
  ...{ latestVersion: null, updateAvailable: false, pendingRestart: null, autoInstall: false },
  ...{ checkInterval: null, lastCheckAt: null, lastError: null, timerActive: false },
}
const noEmbedding = { provider: null, model: null, available: false, usage: null, migration: null }
