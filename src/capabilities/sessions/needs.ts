import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { TranscriptCapture, TranscriptSummaries } from '../transcripts/index.ts'
import type { ContinuityConfig, SessionsConfig } from './config.ts'

/** Why the service closed a session. */
export type ClosingReason = 'expired' | 'stale-session-sweep'

export interface SessionsNeeds {
  readonly db: Db
  readonly host: Host
  /** Identifies this run of the daemon. A new run starts all sessions again. */
  readonly daemonId: string
  /** Called for each run: the configuration may change while the daemon runs. */
  readonly config: () => SessionsConfig & { readonly continuity: ContinuityConfig }
  readonly events: Pick<Events, 'emit'>
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
  readonly memory: Pick<MemoryCapability['selection'], 'listByIds'>
  readonly transcripts: Pick<
    TranscriptCapture,
    'findOrigin' | 'listProjects' | 'saveSnapshot' | 'enqueueCapture' | 'countWaiting'
  > &
    Pick<TranscriptSummaries, 'saveCheckpoint' | 'deleteCheckpointsBefore'>
}
