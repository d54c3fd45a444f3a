import type { DomainCheck } from '../../kernel/capability/domain.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db, Engine } from '../../kernel/db/database.ts'
import type { Gate } from '../../kernel/gate/gate.ts'
import type { HealthCheck } from '../../kernel/health/health.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { toEventLoop } from '../../kernel/host/loop-monitor.ts'
import type { Log, Logging } from '../../kernel/log/log.ts'
import type { SecretPolicy } from '../../kernel/redaction/redact-content.ts'

interface ContentSafety {
  readonly memories: number
  /** Memories from which a credential was removed. */
  readonly redacted: number
  readonly countedAt: string
}

export interface DiagnosticsNeeds {
  readonly host: Host
  readonly log: Log
  readonly db: Db
  /** Low read priority. */
  readonly background: Db
  readonly self: Self
  readonly settings: {
    /** Why the current settings file is not in use. */
    problem(): string | undefined
    waiting(): readonly string[]
    pipeline(): Readonly<Record<string, unknown>>
  }
  /** The latest log entries and the live feed. */
  readonly entries: Pick<Logging, 'recent' | 'follow' | 'file'>
  /** Delays in milliseconds over the last minute; null if they are not measured. */
  eventLoop(): ReturnType<typeof toEventLoop> | null
  /** When the agent was created, ISO. */
  agentCreatedAt(agentId: string): Promise<string | null>
  /** Health checks of all capabilities. */
  readonly checks: Pick<ExtensionPoint<HealthCheck>, 'list'>
  readonly gate: Pick<Gate, 'active'>
  /** The running model calls. */
  modelCalls(): { readonly total: number }
  /** Counts of memories with removed credentials. */
  contentSafety(): Promise<ContentSafety>
  /** From memory: whether a newer version exists, and which one waits for a restart. */
  update(): { readonly updateAvailable: boolean; readonly pendingRestart: string | null }
  /** How credentials in stored content are handled. */
  readonly secretPolicy: () => SecretPolicy
  /** Scored domains of all capabilities. */
  readonly domains: Pick<ExtensionPoint<DomainCheck>, 'list'>
}

/** Identity and address of the daemon. */
export interface Self {
  readonly version: string
  readonly startedAt: Date
  readonly workspace: string
  readonly agentId: string
  readonly mode: string
  readonly engine: Engine
  /** Null with a server database. */
  readonly databaseFile: string | null
  /** A URL without credentials; null with a file database. */
  readonly databaseServer: string | null
  readonly logDir: string
  /** The folder and the files of the log, absolute. */
  readonly logPaths: readonly string[]
  readonly bindHost: string
  /** Null before it listens. */
  port(): number | null
  stopping(): boolean
  /** Ends the process, so that its supervisor starts it again; absent without one. */
  readonly restart?: (() => void) | undefined
}
