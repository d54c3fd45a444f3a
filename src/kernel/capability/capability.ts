import type { SettingsSection } from '../config/settings.ts'
import type { Db } from '../db/database.ts'
import type { Migration } from '../db/migrations.ts'
import type { HealthCheck } from '../health/health.ts'
import type { Route } from '../http/route.ts'
import type { Tool } from '../http/tool.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { UpgradeTask } from '../jobs/upgrade-tasks.ts'
import type { DomainCheck } from './domain.ts'
import type { ExtensionPoint } from './extension-point.ts'
import type { RepairAction } from './repair.ts'

/** The declarations of a capability, available before construction. */
export interface CapabilityModule<Name extends string = string> {
  readonly name: Name
  readonly settings?: readonly SettingsSection[]
  readonly migrations?: readonly Migration[]
}

/** What a capability contributes to the daemon. An absent member means none. */
export interface Capability {
  readonly routes?: readonly Route[]
  readonly tools?: readonly Tool[]
  readonly jobs?: readonly JobKind[]
  readonly schedules?: readonly Schedule[]
  /** Upgrades data of earlier versions in the background after the start. */
  readonly upgradeTasks?: readonly UpgradeTask[]
  readonly health?: HealthCheck
  /** Scored domains of the diagnostics report. */
  readonly diagnostics?: readonly DomainCheck[]
  /** Repairs of the rows that this capability owns. */
  readonly repairs?: readonly RepairAction[]
  /** Shown by the status of the pipeline. */
  readonly workers?: readonly BackgroundWorker[]
  readonly agentRemoval?: AgentRemoval
  readonly evidenceDependant?: EvidenceDependant
  /** The extension points that this capability owns. They are sealed after all are constructed. */
  readonly extensionPoints?: readonly Pick<ExtensionPoint<never>, 'seal'>[]
  /** Runs after migrations, in the order of registration. */
  start?(): Promise<void>
  /** Drains and stops. Runs in reverse order of registration. Idempotent. */
  stop?(): Promise<void>
}

/** Periodic work while the daemon runs. Runs never overlap. */
export interface Schedule {
  readonly name: string
  readonly everyMs: number
  run(signal: AbortSignal): Promise<unknown>
}

/** Rows that other capabilities cite as evidence. */
export interface EvidenceChange {
  readonly agentId: string
  readonly kind: 'memory' | 'transcript' | 'artifact' | 'summary'
  readonly ids: readonly string[]
}

/** Follows the evidence that its rows cite, in the transaction of the change. */
export interface EvidenceDependant {
  /** The evidence can still be recovered. */
  forgotten(db: Db, change: EvidenceChange): Promise<void>
  recovered(db: Db, change: EvidenceChange): Promise<void>
  /** The evidence is purged. No table may hold its words afterwards. */
  purged(db: Db, change: EvidenceChange): Promise<void>
}

/** Handles the rows of a removed agent, in the transaction of its removal. */
export interface AgentRemoval {
  /** The rows stay, but no reader can see them. */
  archive(db: Db, agentId: string): Promise<void>
  /** Deletes the rows with all their dependent rows. */
  purge(db: Db, agentId: string): Promise<void>
}

/** Background work of a capability, shown by the status of the pipeline. */
export interface BackgroundWorker {
  /** Its key in the reply, such as `embedding`. */
  readonly name: string
  status(): Promise<WorkerStatus>
  /** Looks for work now. Absent when the worker has nothing to look for. */
  wake?(): void
}

interface WorkerStatus {
  readonly running: boolean
  readonly details: Readonly<Record<string, unknown>>
}
