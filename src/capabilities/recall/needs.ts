import type { Db } from '../../kernel/db/database.ts'
import type { Announcer } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { RecallConfig } from './config.ts'
import type { RecallEvents } from './events.ts'

export interface RecallNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly events: Announcer<RecallEvents>
  /** Asked anew for each call: the configuration changes while the service runs. */
  readonly config: () => RecallConfig
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
  readonly memory: Pick<MemoryCapability, 'search' | 'refuseWhenFrozen'>
}
