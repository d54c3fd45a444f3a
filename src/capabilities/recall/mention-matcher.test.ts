import { expect, test } from 'vitest'
import { createMentionMatcher } from './words.ts'

test.each([
  ['sailing lesson', 'she sails well', true],
  ['sailing lesson', 'lessened', false],
  ['menü', 'MENU of the day', true],
  ['天气', '天气预报', true],
  ['天气', '今天', false],
  ['umbrella 2025-11-22', 'room 11 with 22 people in 2025', false],
  ['umbrella 2025-11-22', 'on November 22nd, 2025 it rained', true],
  ['the', 'the', false],
])('query %j, text %j: mentioned %s', (query, text, expected) => {
  expect(createMentionMatcher(query)(text)).toBe(expected)
})

test('matches days that are passed separately', () => {
  const [day] = [{ start: new Date(2025, 10, 22), end: new Date(2025, 10, 23), text: 'then' }]

  expect(createMentionMatcher('umbrella', [day])('on 22 November 2025')).toBe(true)
  expect(createMentionMatcher('umbrella')('on 22 November 2025')).toBe(false)
})
