import type { z } from 'zod'
import type { tokenReply } from '../capabilities/access/schemas.ts'
import type * as agents from '../capabilities/agents/schemas.ts'
import type * as diagnostics from '../capabilities/diagnostics/schemas.ts'
import type * as embeddings from '../capabilities/embeddings/schemas.ts'
import type { batchForgetReply, listReply } from '../capabilities/memory/collection-schemas.ts'
import type { rememberReply } from '../capabilities/memory/remember-schemas.ts'
import type * as memory from '../capabilities/memory/schemas.ts'
import type { recallReply } from '../capabilities/recall/replies.ts'
import type * as sessions from '../capabilities/sessions/schemas.ts'
import type { searchReply, transcriptReply } from '../capabilities/transcripts/schemas.ts'
import type * as workspace from '../capabilities/workspace/schemas.ts'

// What is answered has the daemon's own schemas. What is asked stands here, for those take anything.

export type Remembered = z.output<typeof rememberReply>
/** Without what is said of a failed read: that is thrown. */
export type MemoryPage = Omit<ListReply, 'error'>
export type ListReply = z.output<typeof listReply>
export type MemoryRow = MemoryPage['memories'][number]
export type MemoryRecord = z.output<typeof memory.memoryReply>
/** Without what is said of a failed search: that is thrown. */
export type Recalled = Extract<z.output<typeof recallReply>, { readonly meta: unknown }>
export type RecalledRow = Recalled['results'][number]
export type History = z.output<typeof memory.historyReply>
export type Updated = z.output<typeof memory.updatedReply>
export type Forgotten = z.output<typeof memory.forgottenReply>
export type Recovered = z.output<typeof memory.recoveredReply>
type BatchForget = z.output<typeof batchForgetReply>
export type ForgetPreview = Extract<BatchForget, { readonly mode: 'preview' }>
export type ForgottenMany = Extract<BatchForget, { readonly mode: 'execute' }>
export type SessionList = z.output<typeof sessions.sessionsReply>
export type SessionRow = z.output<typeof sessions.sessionReply>
export type Bypass = z.output<typeof sessions.bypassReply>
export type Transcript = z.output<typeof transcriptReply>
export type SessionHits = z.output<typeof searchReply>
export type AgentRow = z.output<typeof agents.agentReply>
export type AgentList = z.output<typeof agents.agentsReply>
export type AgentRemoved = z.output<typeof agents.removedReply>
export type Token = z.output<typeof tokenReply>
export type Live = z.output<typeof diagnostics.liveReply>
type Checked = z.output<typeof diagnostics.readyReply>
/** While it starts nothing is checked yet. */
export type Ready = Omit<Checked, 'checks'> & { readonly checks: Partial<Checked['checks']> }
export type Health = z.output<typeof diagnostics.healthReply>
export type Mode = z.output<typeof diagnostics.modeReply>
export type Logs = z.output<typeof diagnostics.logsReply>
export type LogEntry = Logs['logs'][number]
export type ConfigFiles = z.output<typeof workspace.filesReply>
export type ConfigFile = ConfigFiles['files'][number]
export type ConfigSaved = z.output<typeof workspace.savedReply>
export type BackupMade = z.output<typeof workspace.backupReply>
export type EmbeddingsHealth = z.output<typeof embeddings.healthReply>
export type EmbeddingsStatus = z.output<typeof embeddings.statusReply>
export type EmbeddingsProgress = EmbeddingsStatus['tracker']
export type Backfill = z.output<typeof embeddings.backfillReply>

/** What `POST /api/memory/remember` takes; only `content` is asked for. */
export interface RememberRequest {
  readonly content: string
  readonly who?: string | undefined
  readonly project?: string | null | undefined
  readonly importance?: number | undefined
  readonly tags?: string | undefined
  readonly pinned?: boolean | undefined
  readonly type?: string | undefined
  readonly visibility?: string | undefined
  readonly scope?: string | null | undefined
  readonly reason?: string | undefined
  /** The id of the memory whose place this one takes. */
  readonly supersedes?: string | undefined
}

export interface ListQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly allScopes?: boolean | undefined
  readonly project?: string | undefined
  readonly tags?: string | undefined
  readonly type?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly id_prefix?: string | undefined
  readonly include_deleted?: boolean | undefined
}

export interface ForgetSelection {
  readonly ids?: readonly string[] | undefined
  readonly query?: string | undefined
  readonly limit?: number | undefined
}

export interface ForgetManyRequest extends ForgetSelection {
  readonly reason: string
  readonly force?: boolean | undefined
  readonly confirm_token: string
}

export interface SessionSearch {
  readonly query: string
  readonly project?: string | undefined
  readonly limit?: number | undefined
}

export interface RecallRequest {
  readonly query: string
  readonly limit?: number | undefined
  readonly project?: string | undefined
  readonly type?: string | undefined
  readonly tags?: string | undefined
  readonly who?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly asOf?: string | undefined
  readonly explain?: boolean | undefined
}

export interface UpdateRequest {
  readonly reason: string
  readonly importance?: number | undefined
  readonly tags?: string | undefined
  readonly pinned?: boolean | undefined
  readonly type?: string | undefined
}

export interface AgentRequest {
  readonly name: string
  readonly read_policy?: string | undefined
  readonly policy_group?: string | undefined
}

export interface TokenRequest {
  readonly role: string
  readonly scope: { readonly agent?: string | undefined; readonly project?: string | undefined }
  readonly ttlSeconds?: number | undefined
  readonly sub?: string | undefined
}
