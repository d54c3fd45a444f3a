import type { UnknownSetting } from '../../kernel/config/settings.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'

export interface WorkspaceNeeds {
  readonly host: Host
  readonly folder: string
  readonly version: string
  /** Absolute; left out of backups. */
  readonly logDir: string
  readonly database: Pick<Database, 'engine' | 'file' | 'backup'>
  readonly settings: {
    /** What is wrong with settings that would not be taken, and what would wait for a restart. */
    examine(
      file: string,
      text: string,
    ): {
      readonly problem?: string
      readonly waiting: readonly string[]
      readonly unknownSettings: readonly UnknownSetting[]
    }
    /** The value at a dotted path, as written. */
    written(text: string, path: string): unknown
    features(): Readonly<Record<string, boolean>>
  }
}
