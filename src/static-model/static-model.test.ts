import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTokenizer } from '../capabilities/embeddings/tokenizer.fixture.ts'
import { createStaticModel, readStaticModel, splitPassages } from './index.ts'
import { createWordPiece } from './word-piece.ts'

const parts = await readStaticModel()
const model = createStaticModel(parts)
const cosine = (text: string, other: string) => {
  const [one, two] = [model.embed(text), model.embed(other)]
  return one?.reduce((sum, value, at) => sum + value * (two?.[at] ?? Number.NaN), 0)
}
const kitten = 'Maria adopted a grey kitten in June.'

test('returns the word pieces and vectors of the published model', () => {
  expect(model.tokenise(kitten)).toEqual([3814, 4233, 1037, 4462, 18401, 1999, 2238, 1012])
  const expected = [0.16775, -0.08909, 0.00797, -0.15537, 0.14256, 0.1107]
  for (const [at, value] of expected.entries())
    expect(model.embed(kitten)?.[at]).toBeCloseTo(value, 5)
})

test('ranks related sentences above unrelated ones', () => {
  expect(cosine(kitten, 'Which pet does Maria have?')).toBeCloseTo(0.546, 3)
  expect(cosine(kitten, 'The build failed because the linker ran out of memory.')).toBeCloseTo(
    -0.138,
    3,
  )
})

test.each(['', '   ', '\0'])('returns no vector for %j', (text) => {
  expect(model.embed(text)).toBeUndefined()
})

test('compares two words', () => {
  const [kitten = 0, cat = 0, linker = 0] = model.tokenise('kitten cat linker')

  expect(model.similarity(kitten, kitten)).toBeCloseTo(1, 6)
  expect(model.similarity(kitten, cat)).toBeGreaterThan(model.similarity(kitten, linker))
})

test('tokenises every text like the reference tokenizer', async () => {
  const reference = new Tokenizer(await readTokenizer(), {})
  // The reference joins rare ideographs and parses the names of special pieces.
  const beyond = /[\u{10000}-\u{10ffff}]|\[(PAD|UNK|CLS|SEP|MASK)\]/u
  const word = fc.constantFrom(
    'don’t',
    'naïve',
    'İ',
    'U.S.',
    '東京タワー',
    'a+b=c',
    '\t',
    '“q”',
    '\u2028',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.oneof(word, fc.lorem({ maxCount: 3 })), { maxLength: 20 })
      .map((all) => all.join(' ')),
    fc.string({ unit: fc.constantFrom('a', 'é', 'z', '1'), maxLength: 120 }),
  )
  fc.assert(
    fc.property(text, (text) => {
      fc.pre(!beyond.test(text))
      const { ids } = reference.encode(text, { add_special_tokens: false })
      expect(model.tokenise(text)).toEqual(ids)
    }),
    { numRuns: 200 },
  )
})

test('tokenises a word the same after the cache has turned over', () => {
  const words = Array.from({ length: 9000 }, (_, at) => `w${at.toString(36)}`)
  const long = words.join(' ')
  const each = words.map((word) => createWordPiece(parts.vocabulary)(word))

  for (let turn = 0; turn < 2; turn++) expect(model.tokenise(long)).toEqual(each.flat())
  expect(words.toReversed().map(model.tokenise)).toEqual(each.toReversed())
})

test('splits long texts between words, without loss, into a bounded number of passages', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 2000 }), (text) => {
      const passages = splitPassages(text)
      expect(passages.join('')).toBe(text)
      expect(passages.slice(1).every((passage) => passage.startsWith(' '))).toBe(true)
    }),
    { numRuns: 20 },
  )
  expect(splitPassages('one line').length).toBe(1)
  expect(splitPassages('記'.repeat(1000)).map(({ length }) => length)).toEqual([500, 500])
  expect(splitPassages('word '.repeat(100_000)).length).toBe(64)
})
