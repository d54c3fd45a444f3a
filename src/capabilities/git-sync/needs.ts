import type { Credentials } from '../../kernel/credentials/credentials.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Gate } from '../../kernel/gate/gate.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'
import type { GitConfig } from './config.ts'

export interface GitSyncNeeds {
  readonly host: Host
  readonly log: Log
  readonly children: Pick<ChildLedger, 'add'>
  /** Background runs enter it. */
  readonly gate: Pick<Gate, 'enter'>
  /** The locks of transcripts and settings in this process. */
  readonly locks: FileLocks
  readonly credentials: Pick<Credentials, 'resolve'>
  /** The workspace. */
  readonly folder: string
  /** The folder and the files of the log, absolute. */
  readonly logPaths: readonly string[]
  readonly settings: {
    /** The section `git` of the file. */
    read(): GitConfig
    /** Called after each change of this section. */
    onChange(listener: () => void): void
    /** Why a text is invalid as the settings file; undefined when it is valid. */
    examine(file: string, text: string): string | undefined
    /** Throws for a text that is not YAML. */
    readValue(text: string, path: string): unknown
  }
  /** The variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  /** The program that answers the prompts of git. */
  readonly askPass: string
}
