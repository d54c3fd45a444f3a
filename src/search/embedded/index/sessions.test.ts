import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noNeighbour } from '../../ranking/ranking-input.ts'
import { createSessions } from './sessions.ts'

const slots = 30
const placed = fc.record({
  slot: fc.nat(slots - 1),
  // 0 is no session.
  session: fc.nat(3),
  time: fc.nat(9),
})
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ place: placed }) },
  fc.record({ ask: fc.nat(slots - 1) }),
)

test('session neighbours are ordered by time after random changes', () => {
  let besides = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
      const times = new Array<number>(slots).fill(0)
      const sessionOf = new Array<number>(slots).fill(0)
      const compare = (slot: number, other: number) =>
        (times[slot] ?? 0) - (times[other] ?? 0) || slot - other
      const sessions = createSessions(compare)
      const expectBeside = (slot: number) => {
        const members = sessionOf.flatMap((session, other) =>
          session !== 0 && session === sessionOf[slot] ? [other] : [],
        )
        const sorted = members.toSorted(compare)
        const at = sorted.indexOf(slot)
        const [before, after] = at === -1 ? [] : [sorted[at - 1], sorted[at + 1]]
        expect(sessions.before(slot)).toBe(before ?? noNeighbour)
        expect(sessions.after(slot)).toBe(after ?? noNeighbour)
        besides += before === undefined ? 0 : 1
      }
      for (const one of steps)
        if ('place' in one) {
          const { slot, session, time } = one.place
          times[slot] = time
          sessionOf[slot] = session
          sessions.assign(slot, session)
        } else expectBeside(one.ask)
      for (let slot = 0; slot < slots; slot++) expectBeside(slot)
    }),
  )
  expect(besides).toBeGreaterThan(500)
})
