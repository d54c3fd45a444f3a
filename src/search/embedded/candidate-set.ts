import { noNeighbour } from '../ranking/ranking-input.ts'
import type { Sessions } from './index/sessions.ts'

/** The candidates of a query: slots, each with a position from 0 on. */
export interface CandidateSet {
  readonly slots: readonly number[]
  /** The first `rankedCount` positions are ranked: the hits and their session neighbours. */
  readonly rankedCount: number
  /** The first `scoredCount` positions are scored: ranked slots and their neighbours. */
  readonly scoredCount: number
  /** Positions of the previous and next message in the session; `noNeighbour` where none is readable. */
  readonly before: Int32Array
  readonly after: Int32Array
}

interface CandidateScope {
  readonly sessions: Sessions
  /** 1 for each readable slot. */
  readonly mask: Uint8Array
}

/** The slot itself and three neighbours on either side. */
const maxPerHit = 7

/** Neighbours of scored slots are included, because they contribute terms. */
export function createCandidateSet(
  { sessions, mask }: CandidateScope,
  hits: readonly number[],
): CandidateSet {
  const slots: number[] = []
  const positions = createPositionMap(maxPerHit * hits.length)
  const positionOf = (slot: number) => {
    if (slot === noNeighbour || mask[slot] !== 1) return noNeighbour
    const position = positions.positionOf(slot, slots.length)
    if (position === slots.length) slots.push(slot)
    return position
  }
  const before: number[] = []
  const after: number[] = []
  const addNeighbours = () => {
    const to = slots.length
    for (let position = before.length; position < to; position++) {
      const slot = slots[position] as number
      before.push(positionOf(sessions.before(slot)))
      after.push(positionOf(sessions.after(slot)))
    }
    return to
  }
  for (const slot of hits) positionOf(slot)
  addNeighbours()
  const rankedCount = addNeighbours()
  const scoredCount = addNeighbours()
  return {
    slots,
    rankedCount,
    scoredCount,
    before: Int32Array.from(before),
    after: Int32Array.from(after),
  }
}

/** An open-addressing hash map from slot to position, for at most `maxCount` slots. */
function createPositionMap(maxCount: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * maxCount + 1))
  const slots = new Int32Array(size).fill(noNeighbour)
  const positions = new Int32Array(size)
  return {
    /** Returns the position of the slot, or stores `fallback` as its position. */
    positionOf: (slot: number, fallback: number): number => {
      // Slots of one session are adjacent; an odd multiplier spreads them.
      let at = Math.imul(slot, 0x9e3779b1) & (size - 1)
      while (slots[at] !== slot && slots[at] !== noNeighbour) at = (at + 1) & (size - 1)
      if (slots[at] === slot) return positions[at] as number
      slots[at] = slot
      positions[at] = fallback
      return fallback
    },
  }
}
