import { expect, test } from 'vitest'
import { listNews, mergeTurns } from './merge.ts'
import type { Turn } from './transcript.ts'

const turns = (words: string): Turn[] => words.split('').map((text) => ({ role: 'user', text }))
const words = (list: readonly Turn[]) => list.map(({ text }) => text).join('')

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
])('%s and then %s: %s', (stored, incoming, relation, merged) => {
  const result = mergeTurns(turns(stored), turns(incoming))

  expect({ ...result, turns: words(result.turns) }).toEqual({ relation, turns: merged })
})

test.each([
  ['abc', 'cd', 'd'],
  ['abc', 'bc', ''],
  ['abc', 'de', 'de'],
  ['', 'de', 'de'],
])('behind %s, %s adds %s', (stored, told, news) => {
  expect(words(listNews(turns(stored), turns(told)))).toBe(news)
})
