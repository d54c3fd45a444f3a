import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'
import type { SkillsConfig } from './config.ts'

export interface SkillsNeeds {
  readonly db: Db
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  readonly log: Pick<Log, 'error' | 'warn'>
  readonly outbound: Pick<Outbound, 'fetch'>
  /** The workspace. */
  readonly folder: string
  readonly config: () => SkillsConfig
  /** The variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  /** Names of further variables that a package manager receives. */
  readonly pass: () => readonly string[]
}
