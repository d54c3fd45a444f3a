import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverageOf, parseQueryWords } from './words.ts'

test.each([
  ['What did Alice say about the deploy?', ['alice', 'say', 'deploy'], []],
  ["Alice's build-time and v2.1", ['alice', 'build-time', 'v2.1'], []],
  ['"unbalanced (OR) foo* ^bar: NEAR(a', ['unbalanced', 'foo', 'bar', 'near'], []],
  ['?!*()":^--', [], []],
  ['', [], []],
  ['who are you', [], []],
  ['say say SAY', ['say'], []],
  ['今天天气 tabs', ['tabs'], ['今天', '天天', '天气']],
  ['猫', [], ['猫']],
])('%j is searched as %j and %j', (query, tokens, pairs) => {
  expect(parseQueryWords(query)).toEqual({ tokens, pairs })
})

test('truncates a long query to a maximum number of words', () => {
  const { tokens } = parseQueryWords(Array.from({ length: 5000 }, (_, n) => `word${n}`).join(' '))

  expect(tokens).toHaveLength(64)
})

test('words contain no FTS syntax', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (query) => {
      for (const token of parseQueryWords(query).tokens) {
        expect(token).not.toMatch(/["()*^?\s\0]/)
        expect(token.length).toBeGreaterThan(1)
      }
    }),
  )
})

test('coverage is the share of the query words in a text', () => {
  const words = parseQueryWords('deploy schedule of alice')

  expect(coverageOf(words, 'Alice moved the deploy')).toBeCloseTo(2 / 3)
  expect(coverageOf(parseQueryWords('the'), 'the')).toBe(0)
})
