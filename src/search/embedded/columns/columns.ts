import { crc32 } from 'node:zlib'
import { type Facts, parseIntervals } from '../../feed.ts'
import { createGrowableArray, type GrowableArray, push } from '../growable-array.ts'

export const wordColumns = [
  'agent',
  'scope',
  'project',
  'session',
  'type',
  'who',
  'sourceType',
  'tags',
  'validity',
] as const
export type WordColumn = (typeof wordColumns)[number]

export const numberColumns = [
  'flags',
  'visibility',
  'traits',
  'words',
  'contentHash',
  'importance',
  'createdAt',
  'supersededAt',
] as const

export const visibilities = ['private', 'global', 'archived'] as const

export const flag = { live: 1, pinned: 2 } as const

/** One value per slot and column. A slot without the `live` flag is never returned. */
export interface Columns {
  readonly codes: Readonly<Record<WordColumn, GrowableArray<Int32Array>>>
  readonly dictionaries: Readonly<Record<WordColumn, Dictionary>>
  readonly flags: GrowableArray<Uint8Array>
  readonly visibility: GrowableArray<Uint8Array>
  readonly traits: GrowableArray<Uint8Array>
  readonly words: GrowableArray<Uint32Array>
  /** A CRC of each content hash; collisions are rare. */
  readonly contentHash: GrowableArray<Uint32Array>
  readonly importance: GrowableArray<Float64Array>
  readonly createdAt: GrowableArray<Float64Array>
  readonly supersededAt: GrowableArray<Float64Array>
  readonly validityIntervals: ValidityIntervals
  readonly changes: Changes
}

/** The number of changes, and a ring buffer of the slots that changed last. */
interface Changes {
  count: number
  readonly last: Int32Array
}

/** Up to this many changes, updating a mask is cheaper than rebuilding it. */
const maxTrackedChanges = 4096

export function createColumns(
  dictionaries: Columns['dictionaries'] = perColumn(() => createDictionary()),
): Columns {
  const numbers = () => createGrowableArray((length) => new Float64Array(length))
  const counts = () => createGrowableArray((length) => new Uint32Array(length))
  const bytes = () => createGrowableArray((length) => new Uint8Array(length))
  return {
    codes: perColumn(() => createGrowableArray((length) => new Int32Array(length))),
    dictionaries,
    flags: bytes(),
    visibility: bytes(),
    traits: bytes(),
    words: counts(),
    contentHash: counts(),
    importance: numbers(),
    createdAt: numbers(),
    supersededAt: numbers(),
    validityIntervals: createValidityIntervals(dictionaries.validity),
    changes: { count: 0, last: new Int32Array(maxTrackedChanges) },
  }
}

export function perColumn<Value>(make: (column: WordColumn) => Value): Record<WordColumn, Value> {
  const entries = wordColumns.map((column) => [column, make(column)] as const)
  return Object.fromEntries(entries) as Record<WordColumn, Value>
}

/** Returns the new slot. */
export function appendFacts(columns: Columns, facts: Facts): number {
  const slot = columns.flags.length
  for (const column of wordColumns) push(columns.codes[column], 0)
  for (const column of numberColumns) push(columns[column], 0)
  writeFacts(columns, slot, facts)
  return slot
}

export function writeFacts(columns: Columns, slot: number, facts: Facts): void {
  for (const column of wordColumns)
    columns.codes[column].values[slot] = columns.dictionaries[column].code(facts[column])
  columns.flags.values[slot] = flagsOf(facts)
  columns.visibility.values[slot] = visibilityOf(facts.visibility)
  columns.traits.values[slot] = facts.traits
  columns.words.values[slot] = facts.words
  columns.contentHash.values[slot] = crc32(facts.contentHash)
  columns.importance.values[slot] = facts.importance
  columns.createdAt.values[slot] = facts.createdAt
  columns.supersededAt.values[slot] = facts.supersededAt
  recordChange(columns, slot)
}

/** Whether vectors with this content hash belong to the current text of the slot. */
export function hasContentHash({ contentHash }: Columns, slot: number, hash: string): boolean {
  return contentHash.values[slot] === crc32(hash)
}

function flagsOf({ deleted, pinned }: Facts): number {
  return (deleted ? 0 : flag.live) | (pinned ? flag.pinned : 0)
}

/** An unknown visibility is treated as archived. */
function visibilityOf(visibility: string): number {
  const initialWords = (visibilities as readonly string[]).indexOf(visibility)
  return initialWords === -1 ? visibilities.indexOf('archived') : initialWords
}

export function markDead(columns: Columns, slot: number): void {
  columns.flags.values[slot] = 0
  recordChange(columns, slot)
}

/** The slots that changed after change number `count`; undefined if the ring buffer no longer has them. */
export function changedSince({ changes }: Columns, count: number): Int32Array | undefined {
  const { last } = changes
  const missedCount = changes.count - count
  if (missedCount > last.length) return undefined
  return new Int32Array(missedCount).map((_, at) => last[(count + at) % last.length] as number)
}

function recordChange({ changes }: Columns, slot: number): void {
  changes.last[changes.count % changes.last.length] = slot
  changes.count += 1
}

/** Dictionary codes of strings, from 1 on; 0 stands for null. */
export interface Dictionary {
  /** Returns the code of a word and adds unknown words. */
  code(word: string | null): number
  /** Returns 0 for an unknown word. */
  find(word: string): number
  /** Words by code; the first is null. */
  readonly words: readonly (string | null)[]
}

export function createDictionary(initialWords: readonly string[] = []): Dictionary {
  const codes = new Map<string, number>()
  const words: (string | null)[] = [null]
  const code = (word: string | null): number => {
    if (word === null) return 0
    const existing = codes.get(word)
    if (existing !== undefined) return existing
    codes.set(word, words.length)
    return words.push(word) - 1
  }
  for (const word of initialWords) code(word)
  return { code, find: (word) => codes.get(word) ?? 0, words }
}

/** Validity intervals by the codes of the column `validity`; parsed on first use. */
interface ValidityIntervals {
  contains(code: number, at: number): boolean
}

function createValidityIntervals({ words }: Dictionary): ValidityIntervals {
  /** `times` holds from and until alternately; `ends` holds the end offset of each code. */
  const times = createGrowableArray((length) => new Float64Array(length))
  const ends = createGrowableArray((length) => new Uint32Array(length))
  const readNext = () => {
    const intervals = words[ends.length] ?? null
    for (const [from, until] of intervals === null ? [] : parseIntervals(intervals)) {
      push(times, from)
      push(times, until)
    }
    push(ends, times.length)
  }
  return {
    contains: (code, at) => {
      while (ends.length <= code) readNext()
      const end = ends.values[code] as number
      for (let index = ends.values[code - 1] ?? 0; index < end; index += 2)
        if ((times.values[index] as number) <= at && at < (times.values[index + 1] as number))
          return true
      return false
    },
  }
}
