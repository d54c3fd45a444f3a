import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackgroundWorker } from '../../kernel/capability/capability.ts'
import { listFolder } from '../../kernel/files/folders.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { captureJobKind } from './capture.ts'
import type { TranscriptsNeeds } from './needs.ts'
import type { Diagnosis } from './schemas.ts'
import { countArtifactsByKind, countMissingTranscripts } from './store/artifacts.ts'
import { countByCompletion } from './store/captures.ts'
import { countPendingFiles } from './store/transcript-files.ts'
import { measureTranscripts } from './store/transcripts.ts'

type Audit = Diagnosis['audit']

type DiagnoseNeeds = Pick<TranscriptsNeeds, 'db' | 'jobs' | 'folder'>

/** Reports whether transcripts reach their files; limited to one agent when given. */
export async function diagnose(needs: DiagnoseNeeds, agentId?: string): Promise<Diagnosis> {
  const [capture, sessionStore, kinds, missingTranscriptArtifacts, audit] = await Promise.all([
    countCaptures(needs, agentId),
    measureTranscripts(needs.db, agentId),
    countArtifactsByKind(needs.db, agentId),
    countMissingTranscripts(needs.db, agentId),
    agentId === undefined ? readAudit(needs) : notAttributed,
  ])
  const artifacts = {
    manifests: kinds.get('manifest') ?? 0,
    transcriptArtifacts: kinds.get('transcript') ?? 0,
    summaryArtifacts: kinds.get('summary') ?? 0,
    missingTranscriptArtifacts,
    // No job writes summaries, so none is pending or missing.
    pendingSummaries: 0,
    failedSummaries: 0,
    missingSummaryArtifacts: 0,
  }
  return {
    ok: capture.failed === 0 && capture.dead === 0 && missingTranscriptArtifacts === 0,
    agentId: agentId ?? null,
    capture,
    sessionStore,
    artifacts,
    audit,
  }
}

const notAttributed: Audit = {
  latestLogs: 0,
  finalLogs: 0,
  newestAuditAt: null,
  omittedReason: 'audit logs are not attributed to agents',
}

async function readAudit({ folder }: DiagnoseNeeds): Promise<Audit> {
  const audit = { latestLogs: 0, finalLogs: 0, newestAuditAt: '' }
  for await (const file of listFolder(join(folder, '.daemon', 'logs', 'transcripts'))) {
    if (!file.isFile() || !file.name.endsWith('.log')) continue
    const isLatest = /(^|--)latest\.log$/.test(file.name)
    audit[isLatest ? 'latestLogs' : 'finalLogs'] += 1
    const at = (await stat(join(file.parentPath, file.name))).mtime.toISOString()
    if (at > audit.newestAuditAt) audit.newestAuditAt = at
  }
  return { ...audit, newestAuditAt: audit.newestAuditAt || null }
}

/** Counts each session once, by its latest capture; limited to one agent when given. */
export async function countCaptures(
  { db, jobs }: Pick<TranscriptsNeeds, 'db' | 'jobs'>,
  agentId?: string,
): Promise<Diagnosis['capture']> {
  const [live, { open, completed }] = await Promise.all([
    jobs.countsOf(captureJobKind, agentId),
    countByCompletion(db, agentId),
  ])
  const { pending, leased: processing, failed, oldestAgeSec } = live
  const dead = Math.max(0, open - pending - processing - failed)
  return { pending, processing, completed, failed, dead, oldestAgeSec }
}

function transcriptsHealth(needs: Pick<TranscriptsNeeds, 'db' | 'jobs'>): HealthCheck {
  return {
    name: 'transcripts',
    check: async () => {
      const { pending, processing, failed, dead } = await countCaptures(needs)
      const pendingFiles = await countPendingFiles(needs.db)
      // The queue reports stuck and dead jobs; a rejected capture is no fault.
      return toHealth([], { capture: { pending, failed, dead, processing }, behind: pendingFiles })
    },
  }
}

/** Writes session files; the schedule runs it every ten seconds. */
function transcriptsWorker(needs: ReportNeeds, catchUp: () => Promise<unknown>): BackgroundWorker {
  return {
    name: 'transcripts',
    status: async () => ({
      running: true,
      details: { pendingFiles: await countPendingFiles(needs.db) },
    }),
    wake: () => {
      void catchUp().catch((err: unknown) =>
        needs.log.warn({ err }, 'transcript files not written'),
      )
    },
  }
}

type ReportNeeds = Pick<TranscriptsNeeds, 'db' | 'jobs' | 'log'>

/** What the reports of the daemon show. */
export function transcriptsReports(needs: ReportNeeds, catchUp: () => Promise<unknown>) {
  return { health: transcriptsHealth(needs), workers: [transcriptsWorker(needs, catchUp)] }
}
