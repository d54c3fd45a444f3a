import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlotIds, type SlotIds } from './ids.ts'

const memory = fc.nat(19).map((number) => `memory-${number}`)
const change = fc.oneof(
  { weight: 8, arbitrary: fc.record({ add: memory }) },
  { weight: 4, arbitrary: fc.record({ remove: memory }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
)

test('slots of ids are correct after random changes and restarts', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 100, size: 'max' }), (changes) => {
      let ids = createSlotIds()
      let slots: (string | undefined)[] = []
      for (const one of changes)
        if (one === 'restart') {
          ids = restart(ids)
          slots = slots.filter((id) => id !== undefined)
        } else if ('add' in one) {
          removeFromBoth(ids, slots, one.add)
          ids.add(one.add)
          slots.push(one.add)
        } else removeFromBoth(ids, slots, one.remove)

      const liveIds = [...slots.entries()].flatMap(([slot, id]) => (id === undefined ? [] : [slot]))
      expect([ids.slots(), ids.liveCount()]).toEqual([slots.length, liveIds.length])
      expect([...ids.list()]).toEqual(liveIds)
      expect(slots.map((_, slot) => ids.at(slot))).toEqual(slots)
      for (let number = 0; number < 20; number++) {
        const slot = slots.indexOf(`memory-${number}`)
        expect(ids.slotOf(`memory-${number}`)).toBe(slot === -1 ? undefined : slot)
      }
    }),
  )
})

function removeFromBoth(ids: SlotIds, slots: (string | undefined)[], id: string): void {
  const slot = slots.indexOf(id)
  if (slot === -1) return
  ids.remove(slot)
  slots[slot] = undefined
}

function restart(ids: SlotIds): SlotIds {
  const { ends, bytes } = ids.dump(ids.list())
  return createSlotIds({ ends, bytes: Uint8Array.from([...bytes].flatMap((all) => [...all])) })
}
