import { idf } from '../../ranking/lexical.ts'
import { termWeight } from '../../text/terms.ts'
import type { GrowableArray } from '../growable-array.ts'
import { notFound, type StringTable } from '../string-table.ts'

/** A posting packs a slot (24 bits) and a term frequency (8 bits). */
export const frequencyBits = 8
export const maxFrequency = 255

/** The inverted index and the forward index. */
export interface PostingLists {
  /** The number of a term in the table is its code. */
  readonly terms: StringTable
  /**
   * By term: offset, length and capacity of its posting list, and its document frequency among live
   * texts.
   */
  readonly start: GrowableArray<Uint32Array>
  readonly used: GrowableArray<Uint32Array>
  readonly capacity: GrowableArray<Uint32Array>
  readonly documentFrequency: GrowableArray<Uint32Array>
  /** By term: an upper bound of its frequency in any text. */
  readonly maxTermFrequency: GrowableArray<Uint8Array>
  readonly arena: GrowableArray<Uint32Array>
  /** Free offsets in the arena, by size class. */
  readonly freeOffsets: number[][]
  /** The number of snapshots being written. While there are any, freed lists are not reused. */
  activeDumps: number
  /** By slot: offset and count of its distinct terms, and its length in terms; 0 for a removed text. */
  readonly forwardStart: GrowableArray<Uint32Array>
  readonly forwardLength: GrowableArray<Uint32Array>
  readonly lengths: GrowableArray<Uint32Array>
  readonly forwardTerms: GrowableArray<Uint32Array>
  readonly forwardCounts: GrowableArray<Uint8Array>
  count: number
  totalLength: number
}

export function idfOfTerm(lists: PostingLists, term: string): number {
  const documentFrequency = lists.documentFrequency.values[lists.terms.find(term)] ?? 0
  return termWeight(term) * idf({ documentFrequency, documentCount: lists.count })
}

export function averageLength({ count, totalLength }: PostingLists): number {
  return count === 0 ? 1 : totalLength / count
}

export function codesOf(
  { forwardStart, forwardLength, forwardTerms }: PostingLists,
  slot: number,
): Uint32Array {
  const from = forwardStart.values[slot] ?? 0
  return forwardTerms.values.subarray(from, from + (forwardLength.values[slot] ?? 0))
}

/** The size of a bit filter that rejects most terms outside the query. */
const filterSize = 256

/** Writes the frequency of each query term in a slot. The target must be zeroed. */
type CountTerms = (slot: number, into: Uint8Array, at: number) => void

export function createFrequencyReader(lists: PostingLists, terms: readonly string[]): CountTerms {
  const { forwardStart, forwardLength, forwardTerms, forwardCounts } = lists
  const columns = new Map<number, number>()
  const maybeQueried = new Uint8Array(filterSize)
  for (const [column, term] of terms.entries()) {
    const code = lists.terms.find(term)
    if (code === notFound) continue
    columns.set(code, column)
    maybeQueried[code % filterSize] = 1
  }
  return (slot, into, at) => {
    const codesInText = forwardTerms.values
    const from = forwardStart.values[slot] ?? 0
    const to = from + (forwardLength.values[slot] ?? 0)
    for (let index = from; index < to; index++) {
      const code = codesInText[index] as number
      if (maybeQueried[code % filterSize] === 0) continue
      const column = columns.get(code)
      if (column !== undefined) into[at + column] = forwardCounts.values[index] as number
    }
  }
}
