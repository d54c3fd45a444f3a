import { expect, test } from 'vitest'
import { listDays } from './temporal-intent.ts'

const fifth = new Date(2026, 2, 5).getTime()

test.each([
  'we met on 2026-03-05',
  'we met on 2026/3/5.',
  'backup of 2026-03-05T10:00:00Z',
  'March 5th, 2026 it was',
  'on 5 March 2026',
  'on the 5th of mar 2026',
])('%j mentions the day', (text) => {
  expect(listDays(text).map(({ start }) => start.getTime())).toEqual([fifth])
})

test.each([
  'room 2026, 3 chairs, 5 tables',
  'part 12026-03-05',
  'on 2026-03-055',
  'on 31 February 2026',
  'in March 2026',
  'mayor 5 2026',
])('%j mentions no day', (text) => {
  expect(listDays(text)).toEqual([])
})

test('a text may mention several days', () => {
  expect(listDays('from 2026-03-05 to 7 March 2026').map(({ text }) => text)).toEqual([
    '2026-03-05',
    '7 March 2026',
  ])
})
