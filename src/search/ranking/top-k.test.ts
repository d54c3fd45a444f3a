import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTopK } from './top-k.ts'

test('the top k equal those of a sort, and higher slots win ties', () => {
  const score = fc.oneof(fc.constantFrom(-1, 0, 0.5, 1), fc.float({ noNaN: true, min: 0, max: 2 }))
  fc.assert(
    fc.property(fc.array(score), fc.integer({ min: 1, max: 12 }), (scores, count) => {
      const best = createTopK(count)
      for (const [slot, score] of scores.entries()) best.push(slot, score)

      const sorted = [...scores.keys()]
        .filter((slot) => (scores[slot] ?? 0) > 0)
        .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a)
      expect(best.slots()).toEqual(sorted.slice(0, count))
      expect(new Set(best.unordered())).toEqual(new Set(sorted.slice(0, count)))
      expect(best.threshold()).toBe(scores[sorted[count - 1] ?? -1] ?? 0)
    }),
  )
})
