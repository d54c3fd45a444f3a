import type { Host } from '../../kernel/host/host.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'

export interface HarnessesNeeds {
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  /** The workspace. */
  readonly folder: string
  /** Home folder of the user. */
  readonly home: string
  readonly codexHome: string
  /** Starts the own command line. */
  readonly cli: {
    readonly command: string
    readonly args: readonly string[]
    /** The address of this daemon. */
    url(): string
  }
  /** All variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  /** Last activity (ISO) by harness name. */
  lastSeen(): Promise<ReadonlyMap<string, string>>
}
