import { expect, test } from 'vitest'
import { readTerms } from '../terms.ts'
import { fields } from './fields.ts'

const names = Object.keys(fields)
const readRows = (field: string) =>
  (fields[field] ?? '')
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((words) => words.trim().split(/\s+/).filter(Boolean)))

test.each(names)('%s: a row has an English word and words of another language', (field) => {
  const wrong = readRows(field).filter(
    ([english = [], ...others]) =>
      others.length !== 4 || english.length === 0 || others.flat().length === 0,
  )
  expect(wrong).toEqual([])
})

test.each(names)('%s: no two rows have the same first English word', (field) => {
  const words = readRows(field).map(([english]) => english?.[0])
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
})

test.each(names)('%s: no row repeats a word, and a word has no space, hyphen or digit', (field) => {
  const wrong = readRows(field)
    .flatMap((row) => row.map((words) => [...words]))
    .filter(
      (words) =>
        new Set(words).size < words.length || words.some((word) => /[^\p{L}\p{M}]/u.test(word)),
    )
  expect(wrong).toEqual([])
})

test('Chinese words are Chinese, and no other words are', () => {
  const wrong = names
    .flatMap(readRows)
    .filter(
      ([en = [], de = [], es = [], fr = [], zh = []]) =>
        zh.some((word) => !/^\p{sc=Han}+$/u.test(word)) ||
        [en, de, es, fr].flat().some((word) => readTerms(word).length > 1),
    )
  expect(wrong).toEqual([])
})
