import { nobody } from '../ranking/ranking-input.ts'
import type { Sessions } from './index/sessions.ts'

/** The slots that a question is about, each at a place of its own. */
export interface Pool {
  readonly slots: readonly number[]
  /** The first so many are ranked: the best, and what was said beside them. */
  readonly ranked: number
  /** So many count by themselves: what is ranked, and what was said beside that. */
  readonly counted: number
  /** For these the places of what was said just before and after each, `nobody` where it may not be read. */
  readonly before: Int32Array
  readonly after: Int32Array
}

interface Asked {
  readonly sessions: Sessions
  /** 1 for each slot that may be read. */
  readonly mask: Uint8Array
}

/** Itself, and three to either side. */
const mostPerBest = 7

/** The neighbours of those that count are there as well, for what they lend them. */
export function createPool({ sessions, mask }: Asked, best: readonly number[]): Pool {
  const slots: number[] = []
  const places = createPlaces(mostPerBest * best.length)
  const placeOf = (slot: number) => {
    if (slot === nobody || mask[slot] !== 1) return nobody
    const place = places.placeOf(slot, slots.length)
    if (place === slots.length) slots.push(slot)
    return place
  }
  const before: number[] = []
  const after: number[] = []
  const placeNeighbours = () => {
    const to = slots.length
    for (let place = before.length; place < to; place++) {
      const slot = slots[place] as number
      before.push(placeOf(sessions.before(slot)))
      after.push(placeOf(sessions.after(slot)))
    }
    return to
  }
  for (const slot of best) placeOf(slot)
  placeNeighbours()
  const ranked = placeNeighbours()
  const counted = placeNeighbours()
  return { slots, ranked, counted, before: Int32Array.from(before), after: Int32Array.from(after) }
}

/** The places of so many slots at most. */
function createPlaces(most: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * most + 1))
  const slots = new Int32Array(size).fill(nobody)
  const places = new Int32Array(size)
  return {
    /** What was said the first time is the place of the slot. */
    placeOf: (slot: number, otherwise: number): number => {
      // Slots of one session are neighbours: they are spread by an odd factor.
      let at = Math.imul(slot, 0x9e3779b1) & (size - 1)
      while (slots[at] !== slot && slots[at] !== nobody) at = (at + 1) & (size - 1)
      if (slots[at] === slot) return places[at] as number
      slots[at] = slot
      places[at] = otherwise
      return otherwise
    },
  }
}
