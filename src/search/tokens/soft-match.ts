import { rarityOf } from '../ranking/bm25.ts'
import { alike } from './similarity-memory.ts'
import { mostAsked, type PieceLikeness, type PieceNumbers } from './token-similarity.ts'

/** How much a text's length takes away from what it matches. */
const lengthWeight = 0.55

/** How much of what a question means the words of each slot mean, from 0 to 1, in their order. */
export interface SoftMatch {
  readonly coverage: Float64Array
  /** The same, less for a text that is longer than most. */
  readonly normalised: Float64Array
}

interface Matching {
  /** The pieces of the question. */
  readonly asked: readonly number[]
  readonly slots: readonly number[]
}

/** The pieces of all texts, and of those that may answer. */
export interface PieceCounts {
  /** Each once. */
  of(slot: number): PieceNumbers
  /** How many there are, repetitions among them. */
  lengthOf(slot: number): number
  /** In how many texts a piece is, and how many texts there are. */
  holding(piece: number): number
  count(): number
  averageLength(): number
}

/** For each piece of the question the likest of the text counts, the more the rarer the piece is; of a longer question the rarest pieces are enough. */
export function createSoftMatch(
  lists: PieceCounts,
  likeness: PieceLikeness,
  { asked, slots }: Matching,
): SoftMatch {
  const distinct = [...new Set(asked)]
    .toSorted((a, b) => lists.holding(a) - lists.holding(b) || a - b)
    .slice(0, mostAsked)
  const rarities = distinct.map((piece) =>
    rarityOf({ holding: lists.holding(piece), of: lists.count() }),
  )
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0)
  const coverage = new Float64Array(slots.length)
  if (all > 0)
    likeness.compare(distinct, slots.map(lists.of), (text, likest) => {
      let sum = 0
      for (let at = 0; at < rarities.length; at++)
        sum += (rarities[at] as number) * (likest[at] as number)
      coverage[text] = sum / (all * alike)
    })
  const average = lists.averageLength()
  const normalised = coverage.map((share, at) => {
    const length = lists.lengthOf(slots[at] as number)
    return share / (1 - lengthWeight + (lengthWeight * length) / average)
  })
  return { coverage, normalised }
}
