import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { cutValue, putValue } from './json-text.ts'

const read = (text: string): unknown => parse(text, [], { allowTrailingComma: true })
/** `__proto__` is a name that no reader takes. */
const isReadable = (value: unknown) => !JSON.stringify(value).includes('__proto__')
/** As JSON gives it back, which knows no -0. */
const values = fc
  .json({ maxDepth: 2 })
  .map((text): unknown => JSON.parse(text))
  .filter(isReadable)
const documents = fc
  .dictionary(fc.string(), values, { maxKeys: 4 })
  .filter((document) => isReadable(document) && !('ours' in document))
const layouts = fc.constantFrom(undefined, 1, 4, '\t')

test('what is put into any document is there, and when it is cut out again the rest is as before', () => {
  fc.assert(
    fc.property(documents, layouts, values, (document, layout, value) => {
      const before = JSON.stringify(document, null, layout)
      const after = putValue(before, ['ours', 'inside'], value)

      expect(read(after)).toEqual({
        ...document,
        ours: { inside: JSON.parse(JSON.stringify(value)) },
      })
      expect(read(cutValue(after, ['ours']))).toEqual(document)
    }),
  )
})

test('the same holds for a list', () => {
  fc.assert(
    fc.property(fc.array(values, { maxLength: 4 }), layouts, (list, layout) => {
      const before = JSON.stringify({ list }, null, layout)
      const after = putValue(before, ['list', list.length], 'ours')

      expect(read(after)).toEqual({ list: [...JSON.parse(JSON.stringify(list)), 'ours'] })
      expect(read(cutValue(after, ['list', list.length]))).toEqual(read(before))
    }),
  )
})

test.each([
  ['{ "a": 1 // why\n}', '{ "a": 1, // why\n  "b": 2\n}'],
  ['{ "a": "x//y", /* why */\n}', '{ "a": "x//y", /* why */\n  "b": 2,\n}'],
  ['{ // why\n}', '{ // why\n  "b": 2\n}'],
  ['{"a":[]}', '{"a":[],\n  "b": 2}'],
])('remarks stay where they are: %j', (before, after) => {
  expect(putValue(before, ['b'], 2)).toBe(after)
  expect(cutValue(after, ['b'])).toBe(before)
})
