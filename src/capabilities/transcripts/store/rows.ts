import type { Generated } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Artifact, Manifest } from '../artifact.ts'
import type { Capture } from '../capture-record.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Summary } from '../summary.ts'
import type { ThreadHead } from '../thread.ts'
import type { SessionRef, Transcript } from '../transcript.ts'

/** `position` is the order of insertion. */
type TranscriptRow = Transcript & { readonly position: Generated<number> }

/** The state of a session file. A separate table avoids rewriting large transcript rows. */
interface FileRow extends SessionRef {
  /** Hash of the content to write; null when the file is up to date. */
  readonly wantedHash: string | null
  /** Hash of the written content. */
  readonly writtenHash: string | null
  /** JSON of a `Written`. */
  readonly mark: string | null
  readonly updatedAt: string
}

export type ManifestRow = Omit<Manifest, 'memoryMdRefs'> & { readonly memoryMdRefs: string }

/** The SQLite full-text index. `rank` is BM25; lower is better. */
interface WordsRow {
  readonly rowid: number
  readonly rank: number
}

/** One appended piece of a transcript. Triggers maintain the rows. */
interface PieceRow {
  readonly position: number
  readonly transcript: number
}

interface ChildRow {
  readonly agentId: string
  readonly parentId: string
  readonly childId: string
  readonly ordinal: number
}

interface LinkedMemoryRow {
  readonly agentId: string
  readonly summaryId: string
  readonly memoryId: string
}

/** Which of the transcripts that an upgrade met are cleaned: all up to `donePosition`. */
export interface CleanupRow {
  readonly id: string
  readonly donePosition: number
  readonly lastPosition: number
}

export type Tables = {
  sessionTranscripts: TranscriptRow
  sessionTranscriptFiles: FileRow
  sessionTranscriptsFts: WordsRow
  sessionTranscriptPieces: PieceRow
  transcriptCaptures: Capture
  transcriptCleanups: CleanupRow
  memoryArtifacts: Artifact
  sessionManifests: ManifestRow
  sessionSummaries: Summary
  sessionSummaryChildren: ChildRow
  sessionSummaryMemories: LinkedMemoryRow
  memoryThreadHeads: ThreadHead
  sessionCheckpoints: Checkpoint
}

export const tables = (db: Db) => db.withTables<Tables>()

/** All columns except the content. */
export const headerColumns = [
  'sessionTranscripts.agentId',
  'sessionTranscripts.sessionKey',
  'sessionTranscripts.sessionId',
  'sessionTranscripts.harness',
  'sessionTranscripts.project',
  'sessionTranscripts.contentHash',
  'sessionTranscripts.course',
  'sessionTranscripts.sourceFormat',
  'sessionTranscripts.sourcePath',
  'sessionTranscripts.capturedAt',
  'sessionTranscripts.completedAt',
  'sessionTranscripts.archivedAt',
  'sessionTranscripts.createdAt',
  'sessionTranscripts.updatedAt',
] as const

export const transcriptColumns = [...headerColumns, 'sessionTranscripts.content'] as const
