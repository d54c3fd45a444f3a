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
    /** Says what is wrong with settings that would not be taken; undefined for good ones. */
    problemOf(file: string, text: string): string | undefined
    /** The value at a dotted path, as written. */
    written(text: string, path: string): unknown
    features(): Readonly<Record<string, boolean>>
  }
}
