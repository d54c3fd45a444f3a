import type { Self } from '../capabilities/diagnostics/index.ts'
import type { MemoryCapability } from '../capabilities/memory/index.ts'
import type { RecallCapability } from '../capabilities/recall/index.ts'
import type { TelemetryCapability } from '../capabilities/telemetry/index.ts'
import {
  createTranscripts,
  type TranscriptsCapability,
  type transcriptsConfig,
} from '../capabilities/transcripts/index.ts'
import type { AssertSession } from '../kernel/auth/assert-sessions.ts'
import type { LiveConfig } from '../kernel/config/live-config.ts'
import type { Database, Db } from '../kernel/db/database.ts'
import { transaction } from '../kernel/db/transaction.ts'
import { createFileLocks } from '../kernel/files/file-lock.ts'
import type { Host } from '../kernel/host/host.ts'
import { toCleanText } from '../kernel/hygiene/clean-text.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import type { Log } from '../kernel/log/log.ts'

interface KeptNeeds {
  readonly database: Pick<Database, 'db' | 'background'>
  readonly host: Host
  readonly log: Log
  readonly config: LiveConfig<{ transcripts: typeof transcriptsConfig }>
  readonly self: Pick<Self, 'workspace'>
  readonly jobs: Jobs
  readonly memory: Pick<MemoryCapability, 'readLinked'>
  readonly recall: Pick<RecallCapability, 'sessionEvidence'>
  readonly telemetry: Pick<TelemetryCapability, 'sessionEvidence'>
}

/** What was said in sessions, with what the others know of it. */
export function createKeptTranscripts(needs: KeptNeeds): TranscriptsCapability {
  const { database, host, log, config, self, jobs, memory, recall, telemetry } = needs
  return createTranscripts({
    ...{ ...database, host, log, jobs, folder: self.workspace },
    locks: createFileLocks(host),
    config: () => config.current().capabilities.transcripts,
    memoriesOf: memory.readLinked,
    evidence: () => [recall.sessionEvidence, telemetry.sessionEvidence],
  })
}

type SummaryFilter = Parameters<TranscriptsCapability['listNodes']>[1]

interface Brought {
  readonly agentId: string
  readonly sessionKey: string
  readonly project: string | null
  readonly text: string
}

interface Above {
  readonly transcripts: TranscriptsCapability
  readonly assertSession: AssertSession
}

/** What memory and recall ask of the transcripts, which come after them. */
export function createTranscriptPort(db: Db, above: () => Above) {
  return {
    assertSession: (...named: Parameters<AssertSession>) => above().assertSession(...named),
    search: (...asked: Parameters<TranscriptsCapability['searchSpoken']>) =>
      above().transcripts.searchSpoken(...asked),
    listSummaries: async (of: SummaryFilter, limit: number) => {
      const nodes = await above().transcripts.listNodes(db, of, limit)
      return nodes.map((node) => ({ ...node, content: toCleanText(node.content) }))
    },
    /** A whole conversation that came along with a memory, and not from a harness that watches it. */
    keep: async ({ agentId, sessionKey, project, text }: Brought): Promise<void> => {
      const harness = 'manual'
      const read = await above().transcripts.readInput({ harness, transcript: text })
      const whose = { agentId, sessionKey, harness, project: project ?? undefined }
      await transaction(db, (db) =>
        above().transcripts.keepSnapshot(db, { ...whose, read, complete: true }),
      )
    },
  }
}
