import type { Generated } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { HistoryEvent, Memory } from '../memory.ts'

import type { TemporalEdge } from '../new-memory.ts'

/** A memory in its stored format. */
export type MemoryRow = Omit<Memory, 'pinned' | 'tags' | 'evidence'> & {
  readonly pinned: 0 | 1
  readonly tags: string | null
  readonly evidence: string | null
}

export type HistoryRow = Omit<HistoryEvent, 'metadata'> & { readonly metadata: string | null }

interface AccessRow {
  readonly memoryId: string
  readonly accessCount: number
  readonly lastAccessed: string
}

/** One rating of a memory. The key is a session or a key chosen by the client. */
export interface FeedbackRow {
  readonly memoryId: string
  readonly agentId: string
  readonly key: string
  /** From -1 to 1, and never 0. */
  readonly rating: number
  readonly createdAt: string
}

/** A memory and a memory that it was derived from. */
interface SourceRow {
  readonly memoryId: string
  readonly sourceId: string
  /** When the source was forgotten; of several, the time of the first. */
  readonly lostAt: string | null
}

interface HintRow {
  readonly position: Generated<number>
  readonly memoryId: string
  readonly agentId: string
  readonly hint: string
}

/** Count of current memories with one key: see `count-migrations.ts`. */
interface CountRow {
  readonly scope: string
  /** The model of the vectors. Empty: with or without a vector. */
  readonly identity: string
  readonly visibility: string
  readonly agentId: string
  readonly project: string
  readonly total: number
  readonly critical: number
}

/** Sums of the evidence of an agent in a range of revisions. */
interface EvidenceBlockRow {
  readonly agentId: string
  readonly block: number
  readonly memories: number
  readonly chars: number
  /** No memory of the block is older. */
  readonly oldestAt: string
}

interface PurgedRow {
  readonly revision: number
  readonly id: string
  readonly purgedAt: string
}

/** A full-text index on SQLite: `rank` is BM25; lower is better. */
interface FtsRow {
  readonly rowid: number
  readonly rank: number
}

/** `position` is the insertion order, `revision` the order of last changes. */
export type Tables = {
  memories: MemoryRow & {
    readonly position: Generated<number>
    readonly revision: number
    /** Generated column: see `listByDecayedImportance`. */
    readonly decayRank: Generated<number>
  }
  memoryRevision: { readonly value: number; readonly sweptTo: number }
  memoryPurged: PurgedRow
  memoryCounts: CountRow
  memoryEvidenceBlocks: EvidenceBlockRow
  memoryHistory: HistoryRow & { readonly position: Generated<number> }
  memoryAccess: AccessRow
  memoryFeedback: FeedbackRow
  memoryHints: HintRow
  memorySources: SourceRow
  temporalEdges: TemporalEdge
  memoriesFts: FtsRow
  memoryHintsFts: FtsRow
  memoriesTerms: { readonly term: string; readonly doc: number }
}

export const tables = (db: Db) => db.withTables<Tables>()

/** The columns of `Memory`. PostgreSQL rows also have a tsvector. */
export const memoryColumns = [
  'memories.id',
  'memories.agentId',
  'memories.visibility',
  'memories.scope',
  'memories.project',
  'memories.sessionId',
  'memories.content',
  'memories.contentHash',
  'memories.type',
  'memories.memoryKind',
  'memories.importance',
  'memories.tags',
  'memories.pinned',
  'memories.who',
  'memories.sourceType',
  'memories.sourceId',
  'memories.sourcePart',
  'memories.sourcePath',
  'memories.runtimePath',
  'memories.idempotencyKey',
  'memories.confidence',
  'memories.extractionStatus',
  'memories.version',
  'memories.createdAt',
  'memories.updatedAt',
  'memories.updatedBy',
  'memories.deletedAt',
  'memories.supersededBy',
  'memories.supersededAt',
  'memories.supersededReason',
  'memories.reviewAfter',
  'memories.evidence',
] as const

/** The columns of a list: few, because each value of a page crosses threads. */
export const listColumns = [
  'id',
  'content',
  'createdAt',
  'who',
  'importance',
  'tags',
  'sourceType',
  'pinned',
  'type',
] as const

export type ListedMemory = Pick<MemoryRow, (typeof listColumns)[number]>

export function toMemory(row: MemoryRow): Memory {
  return {
    ...row,
    pinned: row.pinned === 1,
    tags: row.tags === null ? [] : row.tags.split(','),
    evidence: row.evidence === null ? null : JSON.parse(row.evidence),
  }
}

/** Converts only the given fields. */
export function toRow(memory: Memory): MemoryRow
export function toRow(memory: Partial<Memory>): Partial<MemoryRow>
export function toRow({ pinned, tags, evidence, ...rest }: Partial<Memory>): Partial<MemoryRow> {
  return {
    ...rest,
    ...(pinned !== undefined && { pinned: pinned ? 1 : 0 }),
    ...(tags && { tags: tags.length === 0 ? null : tags.join(',') }),
    ...(evidence !== undefined && { evidence: evidence && JSON.stringify(evidence) }),
  }
}
