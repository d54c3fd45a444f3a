import { expect, test } from 'vitest'
import { listNewLines, mergeContents, mergeLines } from './merge.ts'

const lines = (letters: string) => letters.split('')

test.each([
  ['abc', 'abc', 'same', 'abc'],
  ['abc', 'abcde', 'extends', 'abcde'],
  ['', 'ab', 'extends', 'ab'],
  ['abcd', 'ab', 'shorter', 'abcd'],
  ['abcd', 'cdef', 'overlaps', 'abcdef'],
  ['abcd', 'cd', 'shorter', 'abcd'],
  ['aaab', 'aabc', 'overlaps', 'aaabc'],
  ['abab', 'ababcabab', 'extends', 'ababcabab'],
  ['abcd', 'dxyz', 'differs', 'dxyz'],
  ['abc', 'xyz', 'differs', 'xyz'],
])('%s followed by %s: %s', (stored, incoming, relation, merged) => {
  const both = [lines(stored), lines(incoming)] as const

  expect(mergeLines(...both)).toEqual({ relation, lines: lines(merged) })
  expect(mergeContents(both[0].join('\n'), both[1].join('\n'))).toEqual({
    relation,
    text: lines(merged).join('\n'),
  })
})

test.each([
  ['abc', 'cd', 'd'],
  ['abc', 'bc', ''],
  ['abc', 'de', 'de'],
  ['', 'de', 'de'],
])('after %s, %s adds %s', (stored, incoming, news) => {
  expect(listNewLines(lines(stored), lines(incoming)).join('')).toBe(news)
})
