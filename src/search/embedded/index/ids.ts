import { createGrowing, type Growing, push, take } from '../growable-array.ts'
import { createStrings, type DumpedStrings, type KeptStrings } from '../string-table.ts'

/** Which memory each slot holds; a memory is in one slot at most. */
export interface Ids {
  /** Slots there have ever been, and how many hold a memory. */
  slots(): number
  held(): number
  slotOf(id: string): number | undefined
  at(slot: number): string | undefined
  /** The slot that follows the last holds it from now on. */
  add(id: string): void
  remove(slot: number): void
  /** Slots that hold a memory, in their order. */
  list(): Int32Array
  /** Of slots that hold one. */
  dump(slots: Int32Array): DumpedStrings
}

export function createIds(kept?: KeptStrings): Ids {
  const ids = createStrings(kept)
  const isHeld = createGrowing((length) => new Uint8Array(length))
  if (kept) take(isHeld, new Uint8Array(ids.count()).fill(1))
  let held = ids.count()
  return {
    slots: ids.count,
    held: () => held,
    slotOf: (id) => {
      const slot = ids.find(id)
      return isHeld.values[slot] === 1 ? slot : undefined
    },
    at: (slot) => (isHeld.values[slot] === 1 ? ids.at(slot) : undefined),
    add: (id) => {
      ids.add(id)
      push(isHeld, 1)
      held += 1
    },
    remove: (slot) => {
      isHeld.values[slot] = 0
      held -= 1
    },
    list: () => listHeld(isHeld, held),
    dump: ids.dump,
  }
}

function listHeld({ values, length }: Growing<Uint8Array>, held: number): Int32Array {
  const slots = new Int32Array(held)
  let count = 0
  for (let slot = 0; slot < length; slot++) if (values[slot] === 1) slots[count++] = slot
  return slots
}
