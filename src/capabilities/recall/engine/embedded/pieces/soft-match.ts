import { remember } from '../ranking/scene.ts'
import { rarityOf } from '../rarity.ts'
import { alike, type PieceLikeness } from './piece-likeness.ts'
import type { PieceLists } from './piece-lists.ts'

/** How much a text's length takes away from what it matches. */
const lengthWeight = 0.55

/** Of a longer question the rarest pieces are enough. */
const mostAsked = 48

/** How much of what a question means the words of a slot mean, from 0 to 1. */
export interface SoftMatch {
  coverage(slot: number): number
  /** The same, less for a text that is longer than most. */
  normalised(slot: number): number
}

interface Matching {
  /** The pieces of the question. */
  readonly asked: readonly number[]
  /** Of no other slots may be asked. */
  readonly slots: readonly number[]
}

/** For each piece of the question the likest of the text counts, the more the rarer the piece is. */
export function createSoftMatch(
  lists: PieceLists,
  likeness: PieceLikeness,
  { asked, slots }: Matching,
): SoftMatch {
  const distinct = [...new Set(asked)]
    .toSorted((a, b) => lists.holding(a) - lists.holding(b) || a - b)
    .slice(0, mostAsked)
  const tables = likeness.compare(distinct, heldBy(lists, slots))
  const pieces = distinct.map((piece, at) => ({
    table: tables[at] ?? new Uint8Array(0),
    rarity: rarityOf({ holding: lists.holding(piece), of: lists.count() }),
  }))
  const all = pieces.reduce((sum, { rarity }) => sum + rarity, 0)
  const average = lists.averageLength()
  const coverage = remember((slot) => {
    const held = lists.of(slot)
    let sum = 0
    for (const { table, rarity } of pieces) sum += rarity * likestOf(table, held)
    return all > 0 ? sum / (all * alike) : 0
  })
  return {
    coverage,
    normalised: (slot) =>
      coverage(slot) / (1 - lengthWeight + (lengthWeight * lists.lengthOf(slot)) / average),
  }
}

function heldBy(lists: PieceLists, slots: readonly number[]): Set<number> {
  const held = new Set<number>()
  for (const slot of slots) for (const piece of lists.of(slot)) held.add(piece)
  return held
}

function likestOf(table: Uint8Array, pieces: Uint32Array): number {
  let likest = 0
  for (const piece of pieces) {
    const likeness = table[piece] ?? 0
    if (likeness > likest) likest = likeness
  }
  return likest
}
