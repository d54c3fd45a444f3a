import { expect, test } from 'vitest'
import { nextTime } from './cron.ts'

const at = (time: string) => new Date(time)

test.each([
  ['*/15 * * * *', '2026-01-05T10:02:00Z', '2026-01-05T10:15:00.000Z'],
  ['0 9 * * 1', '2026-01-05T09:00:00Z', '2026-01-12T09:00:00.000Z'],
  ['0 9 * * MON-FRI', '2026-01-09T09:00:00Z', '2026-01-12T09:00:00.000Z'],
  ['30 4 1,15 * *', '2026-01-02T00:00:00Z', '2026-01-15T04:30:00.000Z'],
  // A day of the month or a day of the week.
  ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00.000Z'],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('%s after %s is due at %s', (expression, after, expected) => {
  expect(nextTime(expression, at(after), 'UTC')?.toISOString()).toBe(expected)
})

test.each([
  '',
  '* * * *',
  '0 * * * * *',
  '@daily',
  '61 * * * *',
  'a b c d e',
  '0 0 31 2 *',
  '*/0 * * * *',
  `${'1,'.repeat(200)}1 * * * *`,
])('the expression %j is refused', (expression) => {
  expect(nextTime(expression, at('2026-01-01T00:00:00Z'), 'UTC')).toBeUndefined()
})

test.each([
  // Clocks go from 02:00 to 03:00.
  ['Europe/Berlin', '30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '0,30 2,14 * * *', '2026-03-28T14:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['America/New_York', '30 2 * * *', '2026-03-07T12:00:00Z', '2026-03-08T07:00:00.000Z'],
  // Clocks change by half an hour.
  ['Australia/Lord_Howe', '15 2 * * *', '2026-10-03T12:00:00Z', '2026-10-03T15:30:00.000Z'],
])('in %s a local time that does not exist is due after the gap', (zone, cron, after, expected) => {
  const due = nextTime(cron, at(after), zone)

  expect(due?.getTime()).toBeGreaterThanOrEqual(at(expected).getTime())
  expect((due?.getTime() ?? 0) - at(expected).getTime()).toBeLessThanOrEqual(1_800_000)
})

test.each([
  ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00:00Z'],
  ['Europe/Berlin', '30 2-2 * * *', '2026-10-24T12:00:00Z'],
  ['America/New_York', '30 1 * * *', '2026-10-31T12:00:00Z'],
  ['Australia/Lord_Howe', '45 1 * * *', '2026-04-04T02:00:00Z'],
])('in %s a fixed hour that occurs twice is due once', (zone, cron, after) => {
  const first = nextTime(cron, at(after), zone)
  const second = first && nextTime(cron, first, zone)

  expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBeGreaterThan(23 * 3_600_000)
})

test('times with a step follow the clock', () => {
  const listTimes = (after: string) => {
    const times: string[] = []
    for (let time = at(after); times.length < 4; times.push(time.toISOString().slice(5, 16)))
      time = nextTime('*/30 2 * * *', time, 'Europe/Berlin') ?? at(after)
    return times
  }

  const skipped = ['03-30T00:00', '03-30T00:30', '03-31T00:00', '03-31T00:30']
  expect(listTimes('2026-03-28T12:00:00Z')).toEqual(skipped)
  const repeated = ['10-25T00:00', '10-25T00:30', '10-25T01:00', '10-25T01:30']
  expect(listTimes('2026-10-24T12:00:00Z')).toEqual(repeated)
})
