import type { z } from 'zod'
import type { createdKeyReply, handoffReply, tokenReply } from '../capabilities/access/schemas.ts'
import type * as diagnostics from '../capabilities/diagnostics/schemas.ts'
import type * as embeddings from '../capabilities/embeddings/schemas.ts'
import type { batchForgetReply, listReply } from '../capabilities/memory/collection-schemas.ts'
import type { rememberReply } from '../capabilities/memory/remember-schemas.ts'
import type * as memory from '../capabilities/memory/schemas.ts'
import type * as graphTransfer from '../capabilities/ontology/transfer-schemas.ts'
import type { recallReply } from '../capabilities/recall/replies.ts'
import type * as secrets from '../capabilities/secrets/schemas.ts'
import type * as sessions from '../capabilities/sessions/schemas.ts'
import type * as settings from '../capabilities/settings/schemas.ts'
import type * as sources from '../capabilities/sources/schemas.ts'
import type { transcriptReply } from '../capabilities/transcripts/schemas.ts'
import type * as update from '../capabilities/update/schemas.ts'
import type * as workspace from '../capabilities/workspace/schemas.ts'

type Output<Schema extends z.ZodType> = z.output<Schema>
type ListReply = Output<typeof listReply>
type BatchForget = Output<typeof batchForgetReply>
type ReadyReply = Output<typeof diagnostics.readyReply>

/** The replies of the routes that the commands call by name. */
export interface Replies {
  readonly 'GET /health': Output<typeof diagnostics.healthReply>
  readonly 'GET /health/live': Output<typeof diagnostics.liveReply>
  readonly 'GET /health/ready': Ready
  readonly 'GET /api/mode': Output<typeof diagnostics.modeReply>
  readonly 'GET /api/status': Readonly<Record<string, unknown>>
  readonly 'GET /api/diagnostics': Readonly<Record<string, unknown>>
  readonly 'GET /api/logs': Output<typeof diagnostics.logsReply>
  readonly 'POST /api/auth/token': Output<typeof tokenReply>
  readonly 'POST /api/auth/handoff': Output<typeof handoffReply>
  readonly 'POST /api/auth/api-keys': Output<typeof createdKeyReply>
  readonly 'GET /api/config': Output<typeof workspace.filesReply>
  readonly 'POST /api/config': Output<typeof workspace.savedReply>
  readonly 'POST /api/workspace/backup': Output<typeof workspace.backupReply>
  readonly 'GET /api/update/check': Output<typeof update.checkReply>
  readonly 'GET /api/update/status': Output<typeof update.progressReply>
  readonly 'POST /api/update/run': Output<typeof update.runReply>
  readonly 'GET /api/memories': ListReply
  readonly 'GET /api/memory/:id': Output<typeof memory.memoryReply>
  readonly 'PATCH /api/memory/:id': Output<typeof memory.updatedReply>
  readonly 'DELETE /api/memory/:id': Output<typeof memory.forgottenReply>
  readonly 'POST /api/memory/forget': BatchForget
  readonly 'POST /api/memory/remember': Remembered
  readonly 'POST /api/memory/recall': Recalled
  readonly 'GET /api/ontology/export': Output<typeof graphTransfer.exportReply>
  readonly 'POST /api/ontology/import': Output<typeof graphTransfer.importReply>
  readonly 'GET /api/secrets': Output<typeof secrets.listReply>
  readonly 'POST /api/secrets/:name': Output<typeof secrets.savedReply>
  readonly 'POST /api/secrets/exec': Output<typeof secrets.startedReply>
  readonly 'GET /api/secrets/exec/:jobId': Output<typeof secrets.jobReply>
  readonly 'GET /api/secrets/vault-local/status': Output<typeof secrets.localStatusReply>
  readonly 'POST /api/secrets/vault-local/rotate-key': Output<typeof secrets.rotatedReply>
  readonly 'GET /api/sessions/:key': Output<typeof sessions.sessionReply>
  readonly 'GET /api/sessions/:key/transcript': Output<typeof transcriptReply>
  readonly 'GET /api/settings': Output<typeof settings.settingsReply>
  readonly 'POST /api/settings': Output<typeof settings.changeReply>
  readonly 'GET /api/sources/:sourceId': Output<typeof sources.showReply>
  readonly 'POST /api/sources/notes-vault': Output<typeof sources.addedReply>
  readonly 'POST /api/sources/chat': Output<typeof sources.addedReply>
  readonly 'POST /api/sources/wiki': Output<typeof sources.addedReply>
  readonly 'POST /api/sources/code-host': Output<typeof sources.addedReply>
  readonly 'POST /api/sources/web': Output<typeof sources.addedReply>
  readonly 'GET /api/embeddings/health': EmbeddingsHealth
  readonly 'GET /api/embeddings/status': Output<typeof embeddings.statusReply>
  readonly 'GET /api/embeddings/models': EmbeddingModels
  readonly 'POST /api/embeddings/models': Output<typeof embeddings.installReply>
  readonly 'POST /api/embeddings/backfill': Output<typeof embeddings.backfillReply>
}

export type MemoryPage = Omit<ListReply, 'error'>
export type MemoryRow = MemoryPage['memories'][number]
export type Remembered = Output<typeof rememberReply>
/** A failed search is thrown. */
type Recalled = Extract<Output<typeof recallReply>, { readonly meta: unknown }>
export type RecalledRow = Recalled['results'][number]
export type RecalledEntity = NonNullable<Recalled['entities']>[number]
export type RecallExplanation = NonNullable<Recalled['meta']['explain']>
export type AggregateOfRecall = NonNullable<Recalled['aggregate']>
export type ForgottenMany = Extract<BatchForget, { readonly mode: 'execute' }>
export type ForgetPreview = Extract<BatchForget, { readonly mode: 'preview' }>
/** During start-up nothing is checked yet. */
export type Ready = Omit<ReadyReply, 'checks'> & { readonly checks: Partial<ReadyReply['checks']> }
export type LogEntry = Replies['GET /api/logs']['logs'][number]
export type SettingsChange = Replies['POST /api/settings']
export type ConfigFile = Replies['GET /api/config']['files'][number]
export type EmbeddingModels = Output<typeof embeddings.modelsReply>
export type EmbeddingsHealth = Output<typeof embeddings.healthReply>
export type EmbeddingsProgress = Output<typeof embeddings.statusReply>['tracker']
