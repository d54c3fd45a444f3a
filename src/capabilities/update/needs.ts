import type { LiveConfig } from '../../kernel/config/live-config.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'
import type { UpdatesConfig } from './config.ts'
import type { State } from './state.ts'

export interface UpdateNeeds {
  readonly host: Host
  readonly log: Log
  readonly children: Pick<ChildLedger, 'add'>
  readonly outbound: Pick<Outbound, 'fetch' | 'open'>
  readonly locks: FileLocks
  /** The workspace. */
  readonly folder: string
  /** The running version. */
  readonly version: string
  /** The program of this process, as `process.argv` names it. */
  readonly script: string
  readonly config: () => UpdatesConfig
  readonly settings: Pick<LiveConfig, 'examine' | 'reload'>
  /** The variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  /** Names of further variables that package managers receive. */
  readonly pass: () => readonly string[]
  /** Ends the daemon so that its supervisor starts it again; absent without a supervisor. */
  readonly restart?: (() => void) | undefined
}

export interface StatefulNeeds extends UpdateNeeds {
  readonly state: State
}
