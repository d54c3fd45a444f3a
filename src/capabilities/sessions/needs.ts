import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { TranscriptsCapability } from '../transcripts/index.ts'
import type { ContinuityConfig, SessionsConfig } from './config.ts'

/** Why a session was closed that never said its end. */
export type ClosingReason = 'expired' | 'stale-session-sweep'

export interface SessionsNeeds {
  readonly db: Db
  readonly host: Host
  /** Of this run of the daemon: what its harnesses were told is not known to the next one. */
  readonly daemonId: string
  /** Asked anew for each call: the configuration changes while the service runs. */
  readonly config: () => SessionsConfig & { readonly continuity: ContinuityConfig }
  readonly events: Pick<Events, 'emit'>
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
  readonly memory: Pick<MemoryCapability['selection'], 'listByIds'>
  readonly transcripts: Pick<
    TranscriptsCapability,
    | 'findOrigin'
    | 'listProjects'
    | 'saveSnapshot'
    | 'enqueueCapture'
    | 'countWaiting'
    | 'saveCheckpoint'
    | 'deleteCheckpointsBefore'
  >
}
