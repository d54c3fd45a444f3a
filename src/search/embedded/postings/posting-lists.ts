import { idf } from '../../ranking/bm25.ts'
import { termWeight } from '../../text/terms.ts'
import type { GrowableArray } from '../growable-array.ts'
import { notFound, type StringTable } from '../string-table.ts'

/** A posting is a slot and how often it holds the term: 24 bits and 8. */
export const frequencyBits = 8
export const maxFrequency = 255

/** Which texts hold a term, and which terms a text holds. */
export interface PostingLists {
  /** A term's number is its code. */
  readonly terms: StringTable
  /** By term: where its list is, how long, how much room it has, and in how many living texts it is. */
  readonly start: GrowableArray<Uint32Array>
  readonly used: GrowableArray<Uint32Array>
  readonly capacity: GrowableArray<Uint32Array>
  readonly documentFrequency: GrowableArray<Uint32Array>
  /** By term: how often a text has held it at most. */
  readonly maxTermFrequency: GrowableArray<Uint8Array>
  readonly arena: GrowableArray<Uint32Array>
  /** Abandoned places by the size of their room. */
  readonly freeOffsets: number[][]
  /** How many read the lists as they were at one moment: what is abandoned meanwhile is not used again. */
  activeDumps: number
  /** By slot: where its distinct terms are, and how long its text is; 0 for one that is not there. */
  readonly forwardStart: GrowableArray<Uint32Array>
  readonly forwardLength: GrowableArray<Uint32Array>
  readonly lengths: GrowableArray<Uint32Array>
  readonly forwardTerms: GrowableArray<Uint32Array>
  readonly forwardCounts: GrowableArray<Uint8Array>
  count: number
  totalLength: number
}

export function idfOfTerm({ count, terms, documentFrequency }: PostingLists, term: string): number {
  const documentFrequencyOfTerm = documentFrequency.values[terms.find(term)] ?? 0
  return (
    termWeight(term) * idf({ documentFrequency: documentFrequencyOfTerm, documentCount: count })
  )
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

/** Codes that share a bit of what tells at once that a term is not asked for. */
const filterSize = 256

/** Writes how often a slot holds each of these terms, in their order, where nothing but zeros stand. */
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
