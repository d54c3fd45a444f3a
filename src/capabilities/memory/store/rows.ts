import type { Generated } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { HistoryEvent } from '../history-event.ts'
import type { Memory } from '../memory.ts'
import type { TemporalEdge } from '../temporal-edge.ts'

/** As the noun, but for what is written differently at rest. */
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

/** One opinion of one memory; its key is the session in which it was said, or another of the sayer's. */
export interface FeedbackRow {
  readonly memoryId: string
  readonly agentId: string
  readonly key: string
  /** From -1 to 1, and never 0. */
  readonly rating: number
  readonly createdAt: string
}

interface HintRow {
  readonly position: Generated<number>
  readonly memoryId: string
  readonly agentId: string
  readonly hint: string
}

interface PurgedRow {
  readonly revision: number
  readonly id: string
  readonly purgedAt: string
}

/** A full-text index on SQLite: `rank` is its BM25, the more negative the better. */
interface WordsRow {
  readonly rowid: number
  readonly rank: number
}

/** `position` is the order of insertion, `revision` that of the last change that search can see. */
export type Tables = {
  memories: MemoryRow & {
    readonly position: Generated<number>
    readonly revision: number
    /** Made by the database: see `listStanding`. */
    readonly standing: Generated<number>
  }
  memoryRevision: { readonly value: number; readonly sweptTo: number }
  memoryPurged: PurgedRow
  memoryHistory: HistoryRow & { readonly position: Generated<number> }
  memoryAccess: AccessRow
  memoryFeedback: FeedbackRow
  memoryHints: HintRow
  temporalEdges: TemporalEdge
  memoriesFts: WordsRow
  memoryHintsFts: WordsRow
  memoriesTerms: { readonly term: string; readonly doc: number }
}

export const tables = (db: Db) => db.withTables<Tables>()

/** All that the noun is made of; on PostgreSQL the row holds its word list besides. */
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

export function toMemory(row: MemoryRow): Memory {
  return {
    ...row,
    pinned: row.pinned === 1,
    tags: row.tags === null ? [] : row.tags.split(','),
    evidence: row.evidence === null ? null : JSON.parse(row.evidence),
  }
}

/** The same for some of a memory's fields: only what is there is written. */
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
