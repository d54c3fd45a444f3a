import { adopt, createGrowableArray, type GrowableArray, push } from '../growable-array.ts'
import { createStringTable, type SerializedStrings, type StringsDump } from '../string-table.ts'

/** Memory ids by slot; a memory has at most one slot. */
export interface SlotIds {
  /** The number of slots ever used, and of live ones. */
  slots(): number
  liveCount(): number
  slotOf(id: string): number | undefined
  at(slot: number): string | undefined
  /** Assigns the id to the next slot. */
  add(id: string): void
  remove(slot: number): void
  /** Live slots in ascending order. */
  list(): Int32Array
  /** All given slots must be live. */
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
