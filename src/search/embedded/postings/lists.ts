import { rarityOf } from '../../ranking/rarity.ts'
import { weightOf } from '../../text/terms.ts'
import type { Growing } from '../growing.ts'
import type { Strings } from '../strings.ts'

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
