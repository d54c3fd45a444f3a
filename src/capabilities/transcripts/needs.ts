import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { EvidenceSource } from './black-box.ts'
import type { TranscriptsConfig } from './config.ts'
import type { Texts } from './texts.ts'
import type { SessionRef } from './transcript.ts'

export interface TranscriptsOptions {
  readonly db: Db
  /** The same for work that nobody waits for. */
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly jobs: Pick<Jobs, 'handle' | 'enqueue' | 'cancel' | 'find' | 'countsOf'>
  readonly locks: FileLocks
  /** The workspace: what is written lies under `transcripts` and `memory` in it. */
  readonly folder: string
  /** Both asked anew for each transcript. */
  readonly config: () => TranscriptsConfig
}

/** A capability that reads memories which summaries link to. */
export interface LinkedMemories {
  /** The listed memories that the caller may read, deleted ones included. */
  read(caller: Caller, ids: readonly string[]): Promise<readonly LinkedMemory[]>
}

/** The needs with the members of the extension points. */
export interface TranscriptsNeeds extends TranscriptsOptions {
  memoriesOf(caller: Caller, ids: readonly string[]): Promise<readonly LinkedMemory[]>
  evidence(): readonly EvidenceSource[]
}

/** What a session holds by now. */
export interface Wanted extends SessionRef {
  readonly harness: string
  readonly contentHash: string
}

/** With what the parts of this capability share. */
export interface TranscriptsRuntime extends TranscriptsNeeds {
  readonly texts: Texts
  /** For the transaction that keeps what was said: its file is to hold it soon. */
  readonly writeOut: { wanting(db: Db, session: Wanted): Write }
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
