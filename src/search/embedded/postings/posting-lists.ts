import { rarityOf } from '../../ranking/bm25.ts'
import { weightOf } from '../../text/terms.ts'
import type { Growing } from '../growable-array.ts'
import { nowhere, type Strings } from '../string-table.ts'

/** A posting is a slot and how often it holds the term: 24 bits and 8. */
export const countBits = 8
export const mostCounted = 255

/** Which texts hold a term, and which terms a text holds. */
export interface Lists {
  /** A term's number is its code. */
  readonly terms: Strings
  /** By term: where its list is, how long, how much room it has, and in how many living texts it is. */
  readonly start: Growing<Uint32Array>
  readonly used: Growing<Uint32Array>
  readonly room: Growing<Uint32Array>
  readonly living: Growing<Uint32Array>
  /** By term: how often a text has held it at most. */
  readonly most: Growing<Uint8Array>
  readonly arena: Growing<Uint32Array>
  /** Abandoned places by the size of their room. */
  readonly abandoned: number[][]
  /** How many read the lists as they were at one moment: what is abandoned meanwhile is not used again. */
  dumps: number
  /** By slot: where its distinct terms are, and how long its text is; 0 for one that is not there. */
  readonly ownStart: Growing<Uint32Array>
  readonly ownUsed: Growing<Uint32Array>
  readonly lengths: Growing<Uint32Array>
  readonly own: Growing<Uint32Array>
  readonly ownCounts: Growing<Uint8Array>
  count: number
  totalLength: number
}

export function rarityOfTerm({ count, terms, living }: Lists, term: string): number {
  const holding = living.values[terms.find(term)] ?? 0
  return weightOf(term) * rarityOf({ holding, of: count })
}

export function averageLength({ count, totalLength }: Lists): number {
  return count === 0 ? 1 : totalLength / count
}

export function codesOf({ ownStart, ownUsed, own }: Lists, slot: number): Uint32Array {
  const from = ownStart.values[slot] ?? 0
  return own.values.subarray(from, from + (ownUsed.values[slot] ?? 0))
}

/** Codes that share a bit of what tells at once that a term is not asked for. */
const bits = 256

/** Writes how often a slot holds each of these terms, in their order, where nothing but zeros stand. */
type CountTerms = (slot: number, into: Uint8Array, at: number) => void

export function createCounter(lists: Lists, terms: readonly string[]): CountTerms {
  const { ownStart, ownUsed, own, ownCounts } = lists
  const places = new Map<number, number>()
  const isPerhaps = new Uint8Array(bits)
  for (const [place, term] of terms.entries()) {
    const code = lists.terms.find(term)
    if (code === nowhere) continue
    places.set(code, place)
    isPerhaps[code % bits] = 1
  }
  return (slot, into, at) => {
    const held = own.values
    const from = ownStart.values[slot] ?? 0
    const to = from + (ownUsed.values[slot] ?? 0)
    for (let next = from; next < to; next++) {
      const code = held[next] as number
      if (isPerhaps[code % bits] === 0) continue
      const place = places.get(code)
      if (place !== undefined) into[at + place] = ownCounts.values[next] as number
    }
  }
}
