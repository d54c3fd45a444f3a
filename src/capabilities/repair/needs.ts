import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { RepairAction } from '../../kernel/capability/repair.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { SecretPolicy } from '../../kernel/redaction/redact-content.ts'
import type { AutonomousConfig, RepairConfig } from './config.ts'

/** The findings of diagnostics, each with the command that repairs it. */
interface DiagnosticsReport {
  readonly domains: ReadonlyMap<
    string,
    { readonly reasons: readonly { readonly fix: { readonly command: string } | null }[] }
  >
}

/** The row of a success in the history of memories. */
interface SystemEvent {
  readonly id: string
  readonly changedBy: string
  readonly actorType: string
  readonly reason: string
  readonly requestId: string
  readonly metadata: {
    readonly repairAction: string
    readonly affected: number
    readonly message: string
  }
  readonly createdAt: string
}

export interface RepairNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly settings: () => RepairSettings
  /** Repairs of all capabilities. */
  readonly repairs: Pick<ExtensionPoint<RepairAction>, 'list'>
  /** No other daemon uses this database: runs found at the start have no daemon. */
  readonly exclusive: boolean
  readonly secretPolicy: () => SecretPolicy
  readonly recordSystemEvent: (db: Db, event: SystemEvent) => Promise<void>
  readonly report: () => Promise<DiagnosticsReport>
}

export interface RepairSettings {
  readonly repair: RepairConfig
  readonly autonomous: AutonomousConfig
  /** The kill switch of all writes. */
  readonly mutationsFrozen: boolean
}
