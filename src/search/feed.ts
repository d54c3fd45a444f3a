import { countWords, readTraits } from './text/traits.ts'

/** What is known of a memory besides its words. Times are milliseconds since 1970. */
export interface Facts {
  readonly agent: string
  readonly visibility: string
  readonly scope: string | null
  readonly project: string | null
  readonly session: string | null
  readonly type: string
  readonly who: string
  readonly sourceType: string
  /** In lower case between commas, `,one,two,`; null for none. */
  readonly tags: string | null
  readonly pinned: boolean
  readonly deleted: boolean
  /** Bits of `trait`, and how many words there are. */
  readonly traits: number
  readonly words: number
  readonly importance: number
  readonly createdAt: number
  /** Infinity while nothing has taken its place. */
  readonly supersededAt: number
  /** As `writeSpans` writes it; null where it is valid at all times. */
  readonly validity: string | null
  /** Vectors of this hash are of its words. */
  readonly contentHash: string
}

/** A memory as the feed of its capability tells of it; of one that is purged only the id. */
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
  /** Of the words that it was made of. */
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

/** A copy only where it must be: numbers of four bytes begin at a multiple of four. */
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

/** What was superseded at no known time was so at all times. */
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

/** The SQL of who owns memories; it says which columns and parameters. */
export interface MemoryFeed {
  readonly sql: string
  readonly sweptSql: string
  readonly newestSql: string
}

/** The SQL of who owns vectors; it says which columns and parameters. */
export interface VectorFeed {
  readonly sql: string
  readonly newestSql: string
  readonly identitiesSql: string
}

/** The same of a file, where the vectors of words that are back are asked for. */
export interface FileVectorFeed extends VectorFeed {
  readonly ofMemorySql: string
}

/** From when something holds, and from when it does so no more; Infinity where that is open. */
export type ValidityInterval = readonly [from: number, until: number]

/** `from/until` of each in milliseconds, with commas between them, always in the same order. */
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
