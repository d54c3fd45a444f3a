import type { Db } from '../../kernel/db/database.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { HygieneMode } from '../../kernel/hygiene/config.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { TranscriptsConfig } from './config.ts'

export interface TranscriptsNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly jobs: Pick<Jobs, 'handle' | 'enqueue' | 'cancel' | 'find'>
  readonly locks: FileLocks
  /** The workspace: what is written lies under `transcripts` and `memory` in it. */
  readonly folder: string
  /** Both asked anew for each transcript. */
  readonly config: () => TranscriptsConfig
  readonly hygiene: () => HygieneMode
}
