import type { Db } from '../../../kernel/db/database.ts'
import type { Document } from '../document.ts'

/** A chunk of a document and the memory with its text, which documents may share. */
export interface ChunkLink {
  readonly documentId: string
  readonly memoryId: string
  readonly chunkIndex: number
}

type Tables = {
  documents: Document
  documentMemories: ChunkLink
}

export function tables(db: Db) {
  return db.withTables<Tables>()
}
