import { expect, test } from 'vitest'
import { noNeighbour } from '../ranking/ranking-input.ts'
import { createCandidateSet } from './candidate-set.ts'
import { createSessions } from './index/sessions.ts'

/** One session of ten slots in order, and one single slot. */
function talk() {
  const sessions = createSessions((slot, other) => slot - other)
  for (let slot = 0; slot < 10; slot++) sessions.assign(slot, 1)
  sessions.assign(10, 0)
  return sessions
}

test('neighbours of hits are ranked, and their neighbours are scored', () => {
  const mask = new Uint8Array(11).fill(1)

  const { slots, rankedCount, scoredCount } = createCandidateSet(
    { sessions: talk(), mask },
    [5, 10, 5],
  )

  expect(slots.slice(0, rankedCount).toSorted()).toEqual([10, 4, 5, 6])
  expect(slots.slice(rankedCount, scoredCount).toSorted()).toEqual([3, 7])
  expect(slots.slice(scoredCount).toSorted()).toEqual([2, 8])
})

test('unreadable neighbours end the chain', () => {
  const mask = new Uint8Array(11).fill(1)
  mask[4] = 0

  const { slots, scoredCount, before, after } = createCandidateSet({ sessions: talk(), mask }, [5])

  expect(slots).not.toContain(4)
  expect(slots).not.toContain(3)
  expect(before[0]).toBe(noNeighbour)
  expect(slots[after[0] ?? noNeighbour]).toBe(6)
  for (let position = 0; position < scoredCount; position++) {
    const next = after[position] ?? noNeighbour
    if (next !== noNeighbour) expect(slots[next]).toBe((slots[position] ?? 0) + 1)
  }
})
