import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { AgentsCapability } from '../agents/index.ts'

export interface EventsNeeds {
  readonly db: Db
  readonly host: Host
  readonly events: Pick<Events, 'onStreamed'>
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
}
