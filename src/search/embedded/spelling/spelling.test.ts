import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from '../../text/edit-distance.ts'
import { createPostings } from '../postings/postings.ts'
import { createSpelling } from './spelling.ts'
import { createTermSignatures } from './term-signatures.ts'

function vocabularyOf(...terms: readonly string[]) {
  const postings = createPostings()
  postings.add(0, terms)
  return postings
}

test.each([
  ['harbuor', 'harbour'],
  ['weathervnae', 'weathervane'],
  ['wethervan', 'weathervane'],
  ['schornstien', 'schornstein'],
  ['chimeneaa', 'chimenea'],
])('%s is corrected to %s', (from, to) => {
  const { vocabulary } = vocabularyOf('harbour', 'weathervane', 'schornstein', 'chimenea')

  expect(createSpelling(vocabulary).correct([from])).toEqual([{ from, to }])
})

test.each([
  ['stagng', 'stag'],
  ['databse', 'databas'],
  ['printng', 'print'],
])('%s is corrected to the stem %s, which lacks its ending', (from, to) => {
  const { vocabulary } = vocabularyOf('stag', 'databas', 'print')

  expect(createSpelling(vocabulary).correct([from])).toEqual([{ from, to }])
})

test('known words, short words, identifiers and other scripts are not corrected', () => {
  const { vocabulary } = vocabularyOf('harbour', 'sea', 'qx1207', '打印机房')

  expect(
    createSpelling(vocabulary).correct(['harbour', 'see', 'qx1270', '打印机器', 'mast']),
  ).toEqual([])
})

test.each([
  ['klass', 'glass', []],
  ['mauer', 'bauer', []],
  ['lgass', 'glass', ['glass']],
  ['lass', 'glass', ['glass']],
  ['parbour', 'harbour', []],
  ['schornsteim', 'schornstein', ['schornstein']],
])('a short word with another first letter is another word: %s, %s', (from, term, corrections) => {
  const { vocabulary } = vocabularyOf(term)

  expect(
    createSpelling(vocabulary)
      .correct([from])
      .map(({ to }) => to),
  ).toEqual(corrections)
})

test('new texts extend the vocabulary, and removed texts shorten it', () => {
  const postings = vocabularyOf('harbour')
  const spelling = createSpelling(postings.vocabulary)
  expect(spelling.correct(['lantren'])).toEqual([])

  postings.add(1, ['lantern'])
  expect(spelling.correct(['lantren'])).toEqual([{ from: 'lantren', to: 'lantern' }])

  postings.remove(1)
  expect(spelling.correct(['lantren'])).toEqual([])
})

test('signatures miss no term within the distance', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdeéя'), minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 20 }),
      word,
      fc.constantFrom(1, 2),
      (terms, query, max) => {
        const { vocabulary } = vocabularyOf(...terms)
        const near = createTermSignatures(vocabulary).listNear(query, max).map(vocabulary.termAt)
        for (const term of terms)
          if (editDistance(query, term, max) <= max) expect(near).toContain(term)
      },
    ),
  )
})
