import type { Generated } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/** A file, page, issue or message of a source. */
export interface ArtifactRow {
  readonly agentId: string
  readonly sourceId: string
  readonly generation: string
  readonly sourcePath: string
  readonly sourceSha256: string
  readonly sourceKind: string
  readonly sessionId: string | null
  readonly sessionKey: string | null
  readonly sessionToken: string | null
  readonly project: string | null
  readonly harness: string | null
  readonly capturedAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly updatedAt: string
  readonly manifestPath: string | null
  readonly sourceNodeId: string | null
  readonly memorySentence: string | null
  readonly memorySentenceQuality: string | null
  readonly content: string
  readonly sourceMtimeMs: number | null
  readonly sourceRoot: string | null
  readonly sourceExternalId: string | null
  readonly sourceParentPath: string | null
  readonly sourceMetaJson: string | null
  readonly isDeleted: number
  readonly deletedAt: string | null
}

/** A searchable part of an artifact. */
export interface ChunkRow {
  /** Hash of agent and chunk id. */
  readonly id: string
  readonly chunkId: string
  readonly agentId: string
  readonly sourceId: string
  readonly generation: string
  readonly sourcePath: string
  readonly sourceType: string
  /** Title and headings, joined by ` / `. */
  readonly heading: string
  readonly lineFrom: number
  readonly lineTo: number
  readonly text: string
  readonly contentHash: string
  /** Hash of what the vector is made of. */
  readonly wordsHash: string
  readonly revision: number
  readonly createdAt: string
}

export interface ChunkVectorRow {
  readonly revision: number
  readonly chunkId: string
  readonly sourceId: string
  readonly identity: string
  readonly dims: number
  readonly wordsHash: string
  readonly vector: Uint8Array
}

/** What a kind remembers between runs. */
export interface CheckpointRow {
  readonly sourceId: string
  readonly generation: string
  readonly key: string
  readonly cursorJson: string
  readonly status: 'authoritative' | 'partial'
  readonly updatedAt: string
}

/** The state of a file when it was indexed. */
export interface FileRow {
  readonly sourceId: string
  readonly generation: string
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  readonly sha256: string
}

/** The end of an imported source. */
interface LifecycleRow {
  readonly agentId: string
  readonly sourceId: string
  readonly status: 'unsupported'
  readonly reason: string
  readonly removedAt: string
  readonly reviewedAt: string | null
}

type Tables = {
  importedSourceLifecycle: LifecycleRow
  sourceArtifacts: ArtifactRow & { readonly position: Generated<number> }
  sourceChunks: ChunkRow
  sourceChunksPurged: {
    readonly revision: number
    readonly id: string
    readonly purgedAt: string
  }
  sourceRevision: { readonly chunks: number; readonly vectors: number; readonly sweptTo: number }
  sourceChunkVectors: ChunkVectorRow
  sourceVectorModels: { readonly identity: string }
  sourceCheckpoints: CheckpointRow
  sourceFiles: FileRow
}

export const tables = (db: Db) => db.withTables<Tables>()

/** The largest number of values in one statement. */
export const maxValues = 500
