import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Models } from '../inference/index.ts'
import type { TranscriptsConfig } from './config.ts'
import type { SessionEvent } from './replay-schemas.ts'
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
  readonly models: Pick<Models, 'run'>
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

export interface EventScope {
  readonly agentId: string
  readonly project?: string | undefined
  /** Whether events without a project are included. */
  readonly includeUnscoped?: boolean
}

interface EventCount {
  readonly sessionKey: string
  readonly project: string | null
  readonly lastAt: string
  readonly count: number
}

/** A capability that contributes events to the timeline of a session. */
export interface SessionEventSource {
  /** Counts by session, the latest first; limited to `keys` when given. */
  countEvents(
    db: Db,
    scope: EventScope,
    among: { readonly keys?: readonly string[]; readonly limit: number },
  ): Promise<readonly EventCount[]>
  /** The latest first. */
  listEvents(
    db: Db,
    scope: EventScope & { readonly sessionKey: string },
    limit: number,
  ): Promise<readonly SessionEvent[]>
}
