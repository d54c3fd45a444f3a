import type { LiveConfig } from '../../kernel/config/live-config.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { SourcesCapability } from '../sources/index.ts'
import type { TranscriptImports } from '../transcripts/index.ts'
import type { RecordReader } from './worker/record-reader.ts'

export interface ImportsOptions {
  readonly db: Db
  /** The database for background work. */
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  readonly config: Pick<LiveConfig, 'read'>
  /** The agent is that of all imports; empty for the default agent. */
  readonly self: {
    readonly workspace: string
    readonly agentId: string
    readonly engine: 'sqlite' | 'postgres'
  }
  readonly transcripts: TranscriptImports
  readonly sources: Pick<SourcesCapability, 'registerImport' | 'completeImport' | 'pace'>
}

export interface ImportsNeeds extends ImportsOptions {
  /** The agent of the daemon: all conversations are imported for it. */
  readonly agentId: string
  /** The same for all daemons that run one after another on a workspace. */
  readonly daemonId: string
  /** Free bytes on the disk of the database; undefined if unknown. */
  readonly freeBytes: () => Promise<number | undefined>
  readonly transfers: Transfers
  /** Starts the worker before its next poll. */
  readonly wake: () => void
  readonly records: RecordReader
}

/** Limits concurrent transfers of file contents. */
export interface Transfers {
  run<Result>(transfer: () => Promise<Result>): Promise<Result>
}
