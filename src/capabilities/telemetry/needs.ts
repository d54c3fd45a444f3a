import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { TelemetryConfig } from './config.ts'

export interface TelemetryNeeds {
  readonly db: Db
  /** The same for work that nobody waits for. */
  readonly background: Db
  /** Where the open log of events is written. */
  readonly folder: string
  readonly host: Host
  readonly log: Log
  /** What the others announce is all that is recorded. */
  readonly events: Pick<Events, 'on'>
  /** Both asked anew each time: the configuration changes while the service runs. */
  readonly config: () => TelemetryConfig
  readonly memory: Pick<MemoryCapability, 'filterExisting'>
}
