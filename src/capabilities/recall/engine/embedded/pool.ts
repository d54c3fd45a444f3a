import { nobody, type Sessions } from './index/sessions.ts'

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

/** The neighbours of those that count are there as well, for what they lend them. */
export function createPool({ sessions, mask }: Asked, best: readonly number[]): Pool {
  const slots: number[] = []
  const places = new Map<number, number>()
  const placeOf = (slot: number) => {
    if (slot === nobody || mask[slot] !== 1) return nobody
    const there = places.get(slot)
    if (there !== undefined) return there
    places.set(slot, slots.length)
    return slots.push(slot) - 1
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
