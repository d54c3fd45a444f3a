import type { Host } from '../../kernel/host/host.ts'

export interface HarnessesNeeds {
  readonly host: Host
  /** The workspace. */
  readonly folder: string
  /** Of the user. */
  readonly home: string
  readonly codexHome: string
  /** ISO, by the name that a harness gives itself. */
  lastSeen(): Promise<ReadonlyMap<string, string>>
}
