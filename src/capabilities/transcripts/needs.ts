import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { TranscriptsConfig } from './config.ts'
import type { SessionEventSource } from './session-events.ts'
import type { Texts } from './texts.ts'
import type { SessionRef } from './transcript.ts'

export interface TranscriptsOptions {
  readonly db: Db
  /** The database for background work. */
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly jobs: Pick<Jobs, 'handle' | 'enqueue' | 'cancel' | 'find' | 'countsOf'>
  readonly locks: FileLocks
  /** The workspace; files are written under `transcripts` and `memory`. */
  readonly folder: string
  /** Read for each transcript. */
  readonly config: () => TranscriptsConfig
}

/** A capability that reads memories which summaries link to. */
export interface LinkedMemories {
  /** The listed memories that the caller may read, deleted ones included. */
  read(caller: Caller, ids: readonly string[]): Promise<readonly LinkedMemory[]>
}

/** The needs with the members of the extension points. */
export interface TranscriptsNeeds extends TranscriptsOptions {
  readMemories(caller: Caller, ids: readonly string[]): Promise<readonly LinkedMemory[]>
  eventSources(): readonly SessionEventSource[]
}

/** A session whose file is out of date. */
export interface DirtySession extends SessionRef {
  readonly harness: string
  readonly contentHash: string
}

/** The needs with the objects that this capability shares. */
export interface TranscriptsRuntime extends TranscriptsNeeds {
  readonly texts: Texts
  /** A write for the transaction that changes a transcript: marks its file as out of date. */
  readonly fileWriter: { markDirty(db: Db, session: DirtySession): Write }
}

/** A memory as this capability shows it. */
export interface LinkedMemory {
  readonly id: string
  readonly content: string
  readonly type: string
  readonly createdAt: string
  readonly deleted: boolean
  readonly superseded: boolean
}
