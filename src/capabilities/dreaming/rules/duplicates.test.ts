import { expect, test } from 'vitest'
import { findDuplicates } from './duplicates.ts'

const long =
  'the ferry leaves the harbour at dawn and comes back with the evening tide when the wind allows it'
const source = (ref: string, text: string, project: string | null = null) => ({
  ref,
  text,
  project,
})

test('texts that differ in a word are near-duplicates', () => {
  const pairs = findDuplicates([
    source('a', `${long}, so bring a coat and some bread for the long way over the bay`),
    source('b', `${long}, so bring a coat and some bread for the long way across the bay`),
    source('c', 'the printer in the hallway needs paper'),
  ])

  expect(pairs).toMatchObject([{ one: 'a', other: 'b' }])
  expect(pairs[0]?.similarity).toBeGreaterThan(0.8)
})

test.each([
  ['a number', `${long} on pier 4`, `${long} on pier 5`],
  ['a name', `${long} says Olu`, `${long} says Ada`],
  ['a negation', `${long} as usual`, `${long} not usual`],
  ['code', `${long} see deploy.sh`, `${long} see revert.sh`],
])('texts that differ in %s are not', (_, one, other) => {
  expect(findDuplicates([source('a', one), source('b', other)])).toEqual([])
})

test('texts of two projects are not', () => {
  expect(findDuplicates([source('a', long, 'ferry'), source('b', long, 'skiff')])).toEqual([])
})

test('the order of the sources does not matter', () => {
  const sources = [source('b', long), source('a', long), source('c', `${long}!`)]

  expect(findDuplicates(sources.toReversed())).toEqual(findDuplicates(sources))
})

test('scripts without spaces are compared by pairs of characters', () => {
  const text = '渡轮每天清晨离开港口晚上随着潮水回来请带上外套和面包路上风很大'
  const pairs = findDuplicates([source('a', text), source('b', `${text}哦`)])

  expect(pairs).toMatchObject([{ one: 'a', other: 'b' }])
})
