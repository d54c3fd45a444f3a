import type { Db } from '../../../kernel/db/database.ts'

/** The indexed fields with their own statistics. */
export const fields = ['words', 'hints', 'pieces'] as const
export type Field = (typeof fields)[number]

export interface SearchRow {
  readonly memoryId: string
  /** Vectors with another hash belong to another text. */
  readonly contentHash: string
  readonly agentId: string
  readonly visibility: string
  readonly scope: string | null
  readonly project: string | null
  readonly sessionId: string | null
  readonly type: string
  readonly who: string
  readonly sourceType: string
  readonly tags: string | null
  readonly pinned: number
  readonly deleted: number
  readonly importance: number
  readonly createdAt: number
  readonly supersededAt: number
  /** An int8multirange in text form. */
  readonly validity: string | null
  readonly traits: number
  /** Words between spaces; the other lengths count terms and tokens. */
  readonly length: number
  readonly words: string
  readonly wordsLength: number
  readonly hints: string
  readonly hintsLength: number
  /** Little-endian unsigned 32-bit integers. */
  readonly pieces: Uint8Array
  readonly piecesLength: number
}

interface TermRow {
  readonly field: Field
  readonly term: string
  readonly holding: number
}

interface FieldRow {
  readonly field: Field
  readonly texts: number
  readonly length: number
}

interface NameRow {
  readonly word: string
  readonly who: string
}

export interface State {
  /** Fingerprint of the analyzer. */
  readonly rules: number
  /** Purges up to this revision preceded the build. */
  readonly swept: number
  /** The last revisions read. */
  readonly seenMemory: number
  readonly seenVector: number
  /** The number of live memories, and of vectors. */
  readonly live: number
  readonly held: number
}

interface VectorRow {
  readonly identity: string
  readonly memoryId: string
  readonly passage: number
  readonly dims: number
  readonly contentHash: string
  readonly vector: string
}

type Tables = {
  memorySearch: SearchRow
  memorySearchTerms: TermRow
  memorySearchFields: FieldRow
  memorySearchNames: NameRow
  memorySearchState: State
  memorySearchVectors: VectorRow
}

export const tables = (db: Db) => db.withTables<Tables>()
