import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { SessionsCapability } from '../sessions/index.ts'
import type { TranscriptFiles, TranscriptSummaries } from '../transcripts/index.ts'
import type { SynthesisConfig } from './config.ts'

export interface SynthesisOptions {
  readonly db: Db
  /** The same rows for background work. */
  readonly background: Db
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly host: Host
  readonly log: Log
  /** The workspace, in which the files are. */
  readonly folder: string
  /** Called for each run: the configuration may change while the daemon runs. */
  readonly config: () => SynthesisConfig
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
  readonly memory: Pick<MemoryCapability['selection'], 'listByImportance'>
  readonly sessions: Pick<SessionsCapability, 'listIdle'>
  readonly transcripts: Pick<TranscriptSummaries, 'listThreadHeads' | 'listNodes'> &
    Pick<TranscriptFiles, 'listArtifacts' | 'citeManifests'>
}
