import type { Generated } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Artifact, Manifest } from '../artifact.ts'
import type { Capture } from '../capture-record.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Summary } from '../summary.ts'
import type { ThreadHead } from '../thread.ts'
import type { Transcript } from '../transcript.ts'

/** `position` is the order of insertion. */
type TranscriptRow = Transcript & {
  readonly position: Generated<number>
  /** JSON of a `Written`. */
  readonly writtenMark: Generated<string | null>
}

export type ManifestRow = Omit<Manifest, 'memoryMdRefs'> & { readonly memoryMdRefs: string }

/** A full-text index on SQLite: `rank` is its BM25, the more negative the better. */
interface WordsRow {
  readonly rowid: number
  readonly rank: number
}

/** What was added to a transcript at once, on SQLite. Kept by the table's own triggers. */
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

export type Tables = {
  sessionTranscripts: TranscriptRow
  sessionTranscriptsFts: WordsRow
  sessionTranscriptPieces: PieceRow
  transcriptCaptures: Capture
  memoryArtifacts: Artifact
  sessionManifests: ManifestRow
  sessionSummaries: Summary
  sessionSummaryChildren: ChildRow
  sessionSummaryMemories: LinkedMemoryRow
  memoryThreadHeads: ThreadHead
  sessionCheckpoints: Checkpoint
}

export const tables = (db: Db) => db.withTables<Tables>()

/** All that the noun is made of; on PostgreSQL the row holds its word list besides. */
export const transcriptColumns = [
  'sessionTranscripts.agentId',
  'sessionTranscripts.sessionKey',
  'sessionTranscripts.sessionId',
  'sessionTranscripts.harness',
  'sessionTranscripts.project',
  'sessionTranscripts.content',
  'sessionTranscripts.contentHash',
  'sessionTranscripts.sourceFormat',
  'sessionTranscripts.sourcePath',
  'sessionTranscripts.capturedAt',
  'sessionTranscripts.completedAt',
  'sessionTranscripts.archivedAt',
  'sessionTranscripts.writtenHash',
  'sessionTranscripts.createdAt',
  'sessionTranscripts.updatedAt',
] as const
