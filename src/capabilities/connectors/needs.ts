import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { ConnectorFiles, ConnectorsPort } from '../documents/index.ts'

export interface ConnectorsNeeds {
  readonly db: Db
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  readonly jobs: Pick<Jobs, 'enqueue' | 'cancel'>
  /** The home of the user, for paths that begin with `~`. */
  readonly home: string
  readonly documents: {
    readonly connectorFiles: ConnectorFiles
    readonly connectors: Pick<ExtensionPoint<ConnectorsPort>, 'add'>
  }
}
