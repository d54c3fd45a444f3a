import type { UnknownSetting } from '../../kernel/config/settings.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'

export interface WorkspaceNeeds {
  readonly host: Host
  readonly folder: string
  readonly version: string
  /** Absolute paths of the log; left out of backups. */
  readonly logPaths: readonly string[]
  /** Absolute paths of files that backups leave out. */
  readonly excludedFiles: () => readonly string[]
  readonly database: Pick<Database, 'engine' | 'file' | 'backup'>
  readonly settings: {
    /** Reports invalid settings, and settings that need a restart. */
    validate(
      file: string,
      text: string,
    ): {
      readonly problem?: string
      readonly waiting: readonly string[]
      readonly unknownSettings: readonly UnknownSetting[]
    }
    /** Reads the raw value at a dotted path. */
    readValue(text: string, path: string): unknown
    features(): Readonly<Record<string, boolean>>
  }
}
