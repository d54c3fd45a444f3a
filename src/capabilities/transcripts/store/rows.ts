import { type Generated, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { CleanText } from '../../../kernel/redaction/clean-text.ts'
import type { Artifact, Manifest } from '../artifact.ts'
import type { Summary, ThreadHead } from '../summary.ts'
import type { SessionRef, Transcript } from '../transcript.ts'

/** The capture of a transcript to its file, and its state. */
export interface Capture extends SessionRef {
  readonly id: string
  /** Hash of the content to capture. */
  readonly contentHash: string
  /** The latest job; null when the capture was rejected. */
  readonly jobId: string | null
  /** Why the capture was rejected. */
  readonly problem: string | null
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

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

/** The progress of an upgrade: transcripts up to `donePosition` are cleaned. */
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

/** Null matches rows without a project. */
export function isProject(project: string | null): RawBuilder<SqlBool> {
  return project === null ? sql`project is null` : sql`project = ${project}`
}

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

/** The state of a harness file after a session was written to it. Stored as JSON. */
export interface FileCheckpoint {
  /** Path and inode: changes when the file is replaced. */
  readonly file: string
  /** Branch and length in characters of the written content. */
  readonly course: string
  readonly length: number
  /** `seq` of the last record. */
  readonly seq: number
  /** Bytes of the whole file; a shorter file was truncated. */
  readonly size: number
}

export type CheckpointTrigger = 'periodic' | 'pre_compaction' | 'session_end' | 'agent' | 'explicit'

/** The activity of a session when its window was closed. Lists are JSON text. */
export interface Checkpoint extends SessionRef {
  readonly id: string
  readonly harness: string
  readonly project: string | null
  /** The real path of the project, if it exists. */
  readonly projectNormalized: string | null
  readonly triggerKind: CheckpointTrigger
  readonly digest: CleanText
  readonly promptCount: number
  readonly memoryQueries: string | null
  readonly recentRemembers: string | null
  readonly focalEntityIds: string | null
  readonly focalEntityNames: string | null
  readonly activeAspectIds: string | null
  readonly surfacedConstraintCount: number | null
  readonly traversalMemoryCount: number | null
  readonly createdAt: string
}
