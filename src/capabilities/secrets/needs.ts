import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'
import type { Audit, PluginGate } from '../plugins/index.ts'

export interface SecretsNeeds {
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  readonly log: Log
  readonly locks: FileLocks
  /** The workspace. */
  readonly folder: string
  /** The configured key file; undefined for the default. Called for each use. */
  readonly keyFile: () => string | undefined
  /** The variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  /** Names of further variables that commands receive. */
  readonly pass: () => readonly string[]
  readonly audit: Audit
  /** Refuses calls while the plugin of this capability is disabled, or lacks a capability. */
  readonly gate: PluginGate
  /** The version of the service. */
  readonly version: string
}
