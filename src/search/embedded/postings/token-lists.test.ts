import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokenLists } from './token-lists.ts'

const text = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 })
const puts = fc.array(fc.tuple(fc.nat(5), text), { maxLength: 30 })

test('token lists are those of the last text of each slot', () => {
  fc.assert(
    fc.property(puts, (puts) => {
      const lists = createTokenLists()
      for (const [slot, pieces] of puts) lists.put(slot, pieces)

      const last = new Map(puts)
      const texts = [...last.values()].filter(({ length }) => length > 0)
      const total = texts.reduce((sum, { length }) => sum + length, 0)
      for (const [slot, pieces] of last) {
        expect([...lists.of(slot)]).toEqual([...new Set(pieces)])
        expect(lists.lengthOf(slot)).toBe(pieces.length)
      }
      for (let piece = 0; piece < 10; piece++)
        expect(lists.documentFrequency(piece)).toBe(
          texts.filter((one) => one.includes(piece)).length,
        )
      expect(lists.count()).toBe(texts.length)
      expect(lists.averageLength()).toBe(texts.length === 0 ? 1 : total / texts.length)
    }),
  )
})
