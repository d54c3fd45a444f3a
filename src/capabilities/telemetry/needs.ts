import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { TelemetryConfig } from './config.ts'

export interface TelemetryNeeds {
  readonly db: Db
  /** Connection for background work. */
  readonly background: Db
  /** Folder of the event log. */
  readonly folder: string
  readonly host: Host
  readonly log: Log
  /** The only source of recorded data. */
  readonly events: Pick<Events, 'on'>
  /** Read for each call, because settings change at run time. */
  readonly config: () => TelemetryConfig
  readonly self: { readonly version: string; readonly engine: string; readonly mode: string }
  readonly memory: Pick<MemoryCapability, 'filterExisting'>
}
