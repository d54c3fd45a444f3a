import { countWords, readTraits } from './text/query.ts'

/** Indexed fields of a memory. Times are milliseconds since 1970. */
export interface Facts {
  readonly agent: string
  readonly visibility: string
  readonly scope: string | null
  readonly project: string | null
  readonly session: string | null
  readonly type: string
  readonly who: string
  readonly sourceType: string
  /** Lower case, in the form `,one,two,`; null without tags. */
  readonly tags: string | null
  readonly pinned: boolean
  readonly deleted: boolean
  /** Bits of `trait`, and the number of words. */
  readonly traits: number
  readonly words: number
  readonly importance: number
  readonly createdAt: number
  /** Infinity for a current memory. */
  readonly supersededAt: number
  /** In the form of `serializeIntervals`; null for a memory that is always valid. */
  readonly validity: string | null
  /** Vectors with this hash belong to this text. */
  readonly contentHash: string
}

/** A row of the memory feed; of a purged memory only the id. */
export type MemoryRow =
  | { readonly id: string; readonly revision: number; readonly purged: true }
  | {
      readonly id: string
      readonly revision: number
      readonly purged: false
      readonly facts: Facts
      readonly content: string
      readonly hints: readonly string[]
    }

export interface VectorRow {
  readonly memoryId: string
  readonly revision: number
  readonly identity: string
  readonly passage: number
  /** Hash of the embedded text. */
  readonly contentHash: string
  readonly vector: Float32Array
}

type Row = Readonly<Record<string, unknown>>

export function toMemoryRow(row: Row): MemoryRow {
  const base = { id: text(row['id']), revision: Number(row['revision']) }
  if (row['purged'] === 1) return { ...base, purged: true }
  return {
    ...base,
    purged: false,
    facts: toFacts(row),
    content: text(row['content']),
    hints: row['hints'] === null ? [] : (JSON.parse(text(row['hints'])) as string[]),
  }
}

export function toVectorRow(row: Row): VectorRow {
  const bytes = row['vector'] as Uint8Array
  return {
    memoryId: text(row['memory_id']),
    revision: Number(row['revision']),
    identity: text(row['identity']),
    passage: Number(row['passage']),
    contentHash: text(row['content_hash']),
    vector: toFloats(bytes),
  }
}

/** Copies only unaligned bytes. */
function toFloats(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes)
  return new Float32Array(buffer, byteOffset, length / 4)
}

function toFacts(row: Row): Facts {
  return {
    agent: text(row['agent_id']),
    visibility: text(row['visibility']),
    scope: maybeText(row['scope']),
    project: maybeText(row['project']),
    session: maybeText(row['session_id']),
    type: text(row['type']),
    who: text(row['who']),
    sourceType: text(row['source_type']),
    tags: row['tags'] === null ? null : `,${text(row['tags']).toLowerCase()},`,
    pinned: row['pinned'] === 1,
    deleted: row['deleted_at'] !== null,
    traits: readTraits(text(row['content'])),
    words: countWords(text(row['content'])),
    importance: Number(row['importance']),
    createdAt: timeOf(row['created_at']),
    supersededAt: supersededAt(row),
    validity: row['validity'] === null ? null : toValidity(text(row['validity'])),
    contentHash: text(row['content_hash']),
  }
}

/** A memory superseded at an unknown time counts as superseded always. */
function supersededAt(row: Row): number {
  if (row['superseded_by'] === null) return Number.POSITIVE_INFINITY
  return row['superseded_at'] === null ? Number.NEGATIVE_INFINITY : timeOf(row['superseded_at'])
}

function toValidity(intervals: string): string {
  return serializeIntervals(
    intervals.split(',').map((interval): ValidityInterval => {
      const [start, end] = interval.split('/')
      return [timeOf(start), end ? timeOf(end) : Number.POSITIVE_INFINITY]
    }),
  )
}

function timeOf(iso: unknown): number {
  return Date.parse(text(iso))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function maybeText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** SQL of the memories capability, which defines columns and parameters. */
export interface MemoryFeed {
  readonly sql: string
  readonly sweptSql: string
  readonly newestSql: string
}

/** The same for a server. */
export interface ServerMemoryFeed extends MemoryFeed {
  readonly countSql: string
}

/** SQL of the embeddings capability, which defines columns and parameters. */
interface VectorFeed {
  readonly sql: string
  readonly newestSql: string
  readonly identitiesSql: string
}

/** The same for a file, with a query for the vectors of one memory. */
export interface FileVectorFeed extends VectorFeed {
  readonly ofMemorySql: string
}

/** The same for a server. */
export interface ServerVectorFeed extends VectorFeed {
  /** Up to this revision no uncommitted vector can be missed. */
  readonly settledSql: string
  readonly ofMemoriesSql: string
  /** Models that have vectors; `identitiesSql` has those that searches may use. */
  readonly storedIdentitiesSql: string
}

/** Start (inclusive) and end (exclusive) of validity; an open end is Infinity. */
export type ValidityInterval = readonly [from: number, until: number]

/** `from/until` in milliseconds, separated by commas and sorted. */
export function serializeIntervals(intervals: readonly ValidityInterval[]): string {
  return intervals
    .toSorted(([from, until], [from2, until2]) => from - from2 || until - until2)
    .map((interval) => interval.join('/'))
    .join()
}

export function parseIntervals(text: string): readonly ValidityInterval[] {
  return text.split(',').map((interval) => {
    const [from, until] = interval.split('/').map(Number)
    return [from ?? Number.NaN, until ?? Number.NaN]
  })
}
