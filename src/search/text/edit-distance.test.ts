import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test.each([
  ['harbour', 'harbour', 0],
  ['harbuor', 'harbour', 1],
  ['harbor', 'harbour', 1],
  ['gartten', 'garten', 1],
  ['hrbor', 'harbour', 2],
  ['boat', 'harbour', 3],
])('%s and %s are %d apart', (a, b, distance) => {
  expect(editDistance(a, b, 2)).toBe(distance)
})

test('the distance is symmetric and bounded', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcé'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.nat(3), (a, b, max) => {
      const distance = editDistance(a, b, max)
      expect(distance).toBe(editDistance(b, a, max))
      expect(distance === 0).toBe(a === b)
      expect(distance).toBeLessThanOrEqual(max + 1)
    }),
  )
})
