import { adopt, createGrowableArray, type GrowableArray, push } from '../growable-array.ts'
import { createStringTable, type SerializedStrings, type StringsDump } from '../string-table.ts'

/** Which memory each slot holds; a memory is in one slot at most. */
export interface SlotIds {
  /** Slots there have ever been, and how many hold a memory. */
  slots(): number
  liveCount(): number
  slotOf(id: string): number | undefined
  at(slot: number): string | undefined
  /** The slot that follows the last holds it from now on. */
  add(id: string): void
  remove(slot: number): void
  /** Slots that hold a memory, in their order. */
  list(): Int32Array
  /** Of slots that hold one. */
  dump(slots: Int32Array): StringsDump
}

export function createSlotIds(serialized?: SerializedStrings): SlotIds {
  const ids = createStringTable(serialized)
  const isLive = createGrowableArray((length) => new Uint8Array(length))
  if (serialized) adopt(isLive, new Uint8Array(ids.count()).fill(1))
  let liveCount = ids.count()
  return {
    slots: ids.count,
    liveCount: () => liveCount,
    slotOf: (id) => {
      const slot = ids.find(id)
      return isLive.values[slot] === 1 ? slot : undefined
    },
    at: (slot) => (isLive.values[slot] === 1 ? ids.at(slot) : undefined),
    add: (id) => {
      ids.add(id)
      push(isLive, 1)
      liveCount += 1
    },
    remove: (slot) => {
      isLive.values[slot] = 0
      liveCount -= 1
    },
    list: () => listLive(isLive, liveCount),
    dump: ids.dump,
  }
}

function listLive({ values, length }: GrowableArray<Uint8Array>, liveCount: number): Int32Array {
  const slots = new Int32Array(liveCount)
  let count = 0
  for (let slot = 0; slot < length; slot++) if (values[slot] === 1) slots[count++] = slot
  return slots
}
