import { expect, test } from 'vitest'
import { rateTopics } from './topics.ts'

const fillers = Array.from(
  { length: 12 },
  (_, number) => `word${number}a word${number}b word${number}c`,
)

test.each([
  [
    [
      'The hive needs syrup',
      'A hive was sold',
      'The hive is full of syrup',
      'More syrup for the bees',
    ],
    'Syrup for the hive',
    'A film with whales',
  ],
  [
    [
      'Der Stock braucht Sirup',
      'Ein Stock wurde verkauft',
      'Im Stock ist Sirup',
      'Mehr Sirup für Bienen',
    ],
    'Sirup für den Stock',
    'Ein Film mit Walen',
  ],
])('a text about recurring topics of %j has a higher rate', (sample, topical, other) => {
  const rate = rateTopics([...sample, ...fillers])

  expect(rate(topical)).toBeGreaterThan(0.5)
  expect(rate(topical)).toBeLessThanOrEqual(1)
  expect(rate(other)).toBe(0)
})

test('a long text has no higher rate than its topics in short', () => {
  const rate = rateTopics([...Array.from({ length: 4 }, () => 'hive syrup'), ...fillers])

  expect(rate(`hive syrup ${fillers.join(' ')}`)).toBeLessThan(rate('hive syrup'))
})

test('without a sample every rate is 0', () => {
  expect(rateTopics([])('anything')).toBe(0)
  expect(rateTopics(['', ''])('')).toBe(0)
})
