import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'

export interface PluginsNeeds {
  readonly host: Host
  readonly events: Pick<Events, 'emit'>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** The workspace. */
  readonly folder: string
  /** The version of the service. */
  readonly version: string
}
