import type { Host } from '../../kernel/host/host.ts'

export interface HarnessesNeeds {
  readonly host: Host
  /** The workspace. */
  readonly folder: string
  /** Of the user. */
  readonly home: string
  readonly codexHome: string
}
