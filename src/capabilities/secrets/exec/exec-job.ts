import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { ChildLedger } from '../../../kernel/process/child-ledger.ts'
import type { SecretAudit } from '../audit.ts'
import type { LocalStore } from '../local/local-store.ts'

export interface ExecNeeds {
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  readonly log: Pick<Log, 'error' | 'info'>
  readonly store: Pick<LocalStore, 'assertUnlocked'>
  /** Returns the value of a reference; undefined for one without a value. */
  readonly resolve: (reference: string) => Promise<string | undefined>
  readonly audit: SecretAudit
  /** The workspace, in which commands run. */
  readonly folder: string
  /** The variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  /** Names of further variables that commands receive. */
  readonly pass: () => readonly string[]
}

export interface ExecRequest {
  readonly command: string
  /** References by the name of the variable. */
  readonly secrets: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export interface ExecResult {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
  readonly timedOut: boolean
  readonly stdoutTruncated: boolean
  readonly stderrTruncated: boolean
  readonly stdoutBytes: number
  readonly stderrBytes: number
}

/** The command is dropped once it has run. */
export interface ExecJob {
  readonly id: string
  readonly createdBy: Pick<Caller, 'name' | 'agentId'>
  readonly createdAt: string
  readonly timeoutMs: number
  status: 'queued' | 'running' | 'completed' | 'failed'
  startedAt?: string
  completedAt?: string
  result?: ExecResult
  error?: string
}
