import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStringTable, notFound } from './string-table.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 5 })

test('a string is found at its last number, before and after serialization', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 600 }), text, (texts, other) => {
      const strings = createStringTable()
      for (const text of texts) strings.add(text)
      expect(texts.map((_, number) => strings.at(number))).toEqual(texts)

      const numbers = new Map(texts.map((text, number) => [text, number]))
      for (const text of [...texts, other])
        expect(strings.find(text)).toBe(numbers.get(text) ?? notFound)

      const picked = Int32Array.from(numbers.values())
      const { ends, bytes } = strings.dump(picked)
      const restored = createStringTable({
        ends,
        bytes: Uint8Array.from([...bytes].flatMap((all) => [...all])),
      })
      expect([...numbers.keys()].map(restored.find)).toEqual([...picked.keys()])
      expect(restored.add('and more')).toBe(picked.length)
      expect([restored.at(picked.length), restored.find('and more')]).toEqual([
        'and more',
        picked.length,
      ])
    }),
  )
})
