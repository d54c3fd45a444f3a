import { noNeighbour } from '../ranking/ranking-input.ts'
import type { Sessions } from './index/sessions.ts'

/** The slots that a question is about, each at a place of its own. */
export interface CandidateSet {
  readonly slots: readonly number[]
  /** The first so many are ranked: the best, and what was said beside them. */
  readonly rankedCount: number
  /** So many count by themselves: what is ranked, and what was said beside that. */
  readonly scoredCount: number
  /** For these the places of what was said just before and after each, `nobody` where it may not be read. */
  readonly before: Int32Array
  readonly after: Int32Array
}

interface CandidateScope {
  readonly sessions: Sessions
  /** 1 for each slot that may be read. */
  readonly mask: Uint8Array
}

/** Itself, and three to either side. */
const maxPerHit = 7

/** The neighbours of those that count are there as well, for what they lend them. */
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

/** The places of so many slots at most. */
function createPositionMap(maxCount: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * maxCount + 1))
  const slots = new Int32Array(size).fill(noNeighbour)
  const positions = new Int32Array(size)
  return {
    /** What was said the first time is the place of the slot. */
    positionOf: (slot: number, fallback: number): number => {
      // Slots of one session are neighbours: they are spread by an odd factor.
      let at = Math.imul(slot, 0x9e3779b1) & (size - 1)
      while (slots[at] !== slot && slots[at] !== noNeighbour) at = (at + 1) & (size - 1)
      if (slots[at] === slot) return positions[at] as number
      slots[at] = slot
      positions[at] = fallback
      return fallback
    },
  }
}
