import { expect, test } from 'vitest'
import { createLexicon } from './lexicon.ts'
import { listSpacelessWords } from './spaceless-words.ts'

test('the longest known word counts, and each word once', () => {
  const known = new Set(['图', '图书', '图书馆', '开门', '几点'])

  expect(listSpacelessWords('图书馆几点开门图书馆', (word) => known.has(word))).toEqual([
    '图书馆',
    '几点',
    '开门',
  ])
})

test('a word ends where the lexicon ends it, so that the next one is found too', () => {
  const english = createLexicon()
    .translate('地图桌子', 'en')
    .map((translation) => translation.english[0])

  expect(english).toEqual(['map', 'table'])
})

test.each([1000, 8000])('%i characters need at most six look-ups each', (length) => {
  let lookUps = 0
  const isKnown = () => {
    lookUps++
    return false
  }

  expect(listSpacelessWords('海'.repeat(length), isKnown)).toEqual([])
  expect(lookUps).toBeLessThanOrEqual(6 * length)
})

test('the words of a long text are bounded', () => {
  const text = Array.from({ length: 4000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')

  expect(listSpacelessWords(text, () => true)).toHaveLength(16)
})
