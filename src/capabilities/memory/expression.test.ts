import { expect, test } from 'vitest'
import { chooseRanking } from './expression.ts'

const times = (word: string, count: number) => Array<string>(count).fill(word).join(' ')

test.each([
  ['tea', 'best'],
  ['the cat and the dog', 'best'],
  [`"green tea" OR ${times('tea', 6)}`, 'best'],
  [times('tea', 10), 'newest'],
  ['a á à â ä ã å ā ă ą A', 'newest'],
  ['t* te* tea* teas* teapo* teapot* ter* term* terms* termina*', 'newest'],
  [Array.from({ length: 64 }, (_, index) => `w${index}`).join(' '), 'best'],
  [times('tea', 65), undefined],
  [`NEAR(${times('tea', 10)})`, undefined],
  ['NEAR(green tea, 3)', 'best'],
  ['tea\0pot', undefined],
  ['*reads', undefined],
])('what %j finds is ranked as %s', (expression, ranking) => {
  expect(chooseRanking(expression)).toBe(ranking)
})
