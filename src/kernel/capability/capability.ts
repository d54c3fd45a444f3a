import type { SettingsSection } from '../config/settings.ts'
import type { Db } from '../db/database.ts'
import type { Migration } from '../db/migrations.ts'
import type { HealthCheck } from '../health/health.ts'
import type { Route } from '../http/route.ts'
import type { Tool } from '../http/tool.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { UpgradeTask } from '../jobs/upgrade-tasks.ts'
import type { ExtensionPoint } from './extension-point.ts'

/** What is known of a capability before anything is constructed. */
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
  /** Work on what earlier versions stored, behind the start. */
  readonly upgradeTasks?: readonly UpgradeTask[]
  readonly health?: HealthCheck
  readonly agentRemoval?: AgentRemoval
  /** The lists that this capability owns. They are sealed after all are constructed. */
  readonly extensionPoints?: readonly Pick<ExtensionPoint<never>, 'seal'>[]
  /** Runs after migrations, in the order of registration. */
  start?(): Promise<void>
  /** Drains. Runs in reverse order of registration, and again without effect. */
  stop?(): Promise<void>
}

/** Work that recurs while the daemon runs. One run never overlaps the next. */
export interface Schedule {
  readonly name: string
  readonly everyMs: number
  run(signal: AbortSignal): Promise<unknown>
}

/** What a capability does with the rows of an agent that is removed, in that transaction. */
export interface AgentRemoval {
  /** The rows stay but no reader sees them. */
  archive(db: Db, agentId: string): Promise<void>
  /** The rows are deleted with all that depends on them. */
  purge(db: Db, agentId: string): Promise<void>
}
