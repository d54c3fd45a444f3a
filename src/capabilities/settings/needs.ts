import type { LiveConfig } from '../../kernel/config/live-config.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Log } from '../../kernel/log/log.ts'

export interface SettingsNeeds {
  /** The workspace. */
  readonly folder: string
  readonly locks: FileLocks
  readonly log: Pick<Log, 'info'>
  readonly config: Pick<LiveConfig, 'current' | 'examine' | 'reload' | 'schemas' | 'waiting'>
}
