import type { Self } from '../capabilities/diagnostics/index.ts'
import type {
  AgentRemoval,
  BackgroundWorker,
  EvidenceDependant,
} from '../kernel/capability/capability.ts'
import type { DomainCheck } from '../kernel/capability/domain.ts'
import type { ExtensionPoint } from '../kernel/capability/extension-point.ts'
import type { RepairAction } from '../kernel/capability/repair.ts'
import type { LiveConfig } from '../kernel/config/live-config.ts'
import type { Credentials } from '../kernel/credentials/credentials.ts'
import type { Database, Db } from '../kernel/db/database.ts'
import type { Events } from '../kernel/events/events.ts'
import type { FileLocks } from '../kernel/files/file-lock.ts'
import type { Gate } from '../kernel/gate/gate.ts'
import type { HealthCheck } from '../kernel/health/health.ts'
import type { ProviderCalls } from '../kernel/health/provider-calls.ts'
import type { Host } from '../kernel/host/host.ts'
import type { LoopMonitor } from '../kernel/host/loop-monitor.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import type { Log, Logging } from '../kernel/log/log.ts'
import type { Outbound } from '../kernel/outbound/outbound.ts'
import type { ChildLedger } from '../kernel/process/child-ledger.ts'
import type { SecretPolicy } from '../kernel/redaction/redact-content.ts'

/** The dependencies that the daemon passes to every capability. */
export interface Kernel {
  readonly database: Database
  readonly db: Db
  /** The same rows for background work. */
  readonly background: Db
  readonly host: Host
  /** Every process is entered. */
  readonly children: Pick<ChildLedger, 'add'>
  readonly log: Log
  readonly events: Events
  readonly config: LiveConfig
  readonly jobs: Jobs
  /** Background operations enter it. */
  readonly gate: Gate
  /** Outcomes of the calls to model providers. */
  readonly providerCalls: ProviderCalls
  readonly outbound: Pick<Outbound, 'fetch' | 'open' | 'connect'>
  readonly credentials: Credentials
  /** One for all parts: two of them would take each other's locks for stale. */
  readonly locks: FileLocks
  readonly entries: Pick<Logging, 'recent' | 'follow' | 'file'>
  readonly self: Self
  readonly loop: Pick<LoopMonitor, 'read'>
  /** How credentials in stored content are handled. */
  readonly secretPolicy: () => SecretPolicy
  /** Signs tokens. */
  readonly tokenSecret: Buffer
  /** The contributions of all capabilities, sealed before the daemon starts. */
  readonly removals: Pick<ExtensionPoint<AgentRemoval>, 'list'>
  readonly evidenceDependants: Pick<ExtensionPoint<EvidenceDependant>, 'list'>
  readonly checks: Pick<ExtensionPoint<HealthCheck>, 'list'>
  readonly domains: Pick<ExtensionPoint<DomainCheck>, 'list'>
  readonly repairs: Pick<ExtensionPoint<RepairAction>, 'list'>
  readonly workers: Pick<ExtensionPoint<BackgroundWorker>, 'list'>
  readonly operations: Pick<ExtensionPoint<Route>, 'list'>
}
