import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { cutValue, putValue } from './json-text.ts'

const read = (text: string): unknown => parse(text, [], { allowTrailingComma: true })
/** Without `__proto__`, which no reader takes for a name. */
const documents = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .filter((document) => !JSON.stringify(document).includes('__proto__') && !('ours' in document))
const layouts = fc.constantFrom(undefined, 1, 4, '\t')

test('what is put into any document is there, and when it is cut out again the rest is as before', () => {
  fc.assert(
    fc.property(documents, layouts, fc.jsonValue(), (document, layout, value) => {
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
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }),
      layouts,
      (list, layout) => {
        const before = JSON.stringify({ list }, null, layout)
        const after = putValue(before, ['list', list.length], 'ours')

        expect(read(after)).toEqual({ list: [...JSON.parse(JSON.stringify(list)), 'ours'] })
        expect(read(cutValue(after, ['list', list.length]))).toEqual(read(before))
      },
    ),
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
