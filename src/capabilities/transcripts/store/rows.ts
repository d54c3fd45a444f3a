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

/** What the file of a session holds of it, apart from the megabytes that it holds. */
interface FileRow extends SessionRef {
  /** Of the content that is to be in it soon; null where nobody waits for that. */
  readonly wantedHash: string | null
  /** Of the content that is in it. */
  readonly writtenHash: string | null
  /** JSON of a `Written`. */
  readonly mark: string | null
  readonly updatedAt: string
}

export type ManifestRow = Omit<Manifest, 'memoryMdRefs'> & { readonly memoryMdRefs: string }

/** A full-text index on SQLite: `rank` is its BM25, the more negative the better. */
interface WordsRow {
  readonly rowid: number
  readonly rank: number
}

/** What was added to a transcript at once. Kept by the table's own triggers. */
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

/** All of it but what was said. */
export const outlineColumns = [
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

/** All that the noun is made of. */
export const transcriptColumns = [...outlineColumns, 'sessionTranscripts.content'] as const
