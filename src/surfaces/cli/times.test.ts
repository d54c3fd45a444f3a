import { describe, expect, test } from 'vitest'
import { readTime, toLocalDate, toLocalTime } from './times.ts'

const now = new Date('2026-03-10T12:30:00.000Z')
const local = (day: number, ms = 0) => new Date(2026, 2, day, 0, 0, 0, ms).toISOString()

describe('a time', () => {
  test.each([
    ['7d', '2026-03-03T12:30:00.000Z'],
    ['2 weeks ago', '2026-02-24T12:30:00.000Z'],
    ['1 Day Ago', '2026-03-09T12:30:00.000Z'],
    ['3h', '2026-03-10T09:30:00.000Z'],
    ['90 min', '2026-03-10T11:00:00.000Z'],
    ['1 month', '2026-02-08T12:30:00.000Z'],
    ['1y', '2025-03-10T12:30:00.000Z'],
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    ['2026-01-05T10:00:00+02:00', '2026-01-05T08:00:00.000Z'],
  ])('%s is read the same for both bounds', (text, time) => {
    expect([readTime(text, 'start', now), readTime(text, 'end', now)]).toEqual([time, time])
  })

  test.each([
    ['today', 10],
    ['Yesterday', 9],
  ])('%s is a whole day of the local time zone', (text, day) => {
    expect(readTime(text, 'start', now)).toBe(local(day))
    expect(readTime(text, 'end', now)).toBe(local(day + 1, -1))
  })

  test.each(['', 'soon', '7', 'd', '7dogs', 'ago', '-7d', '2026-13-01', '12345d', '7d later'])(
    '%j is not a time',
    (text) => {
      expect(readTime(text, 'start', now)).toBeUndefined()
    },
  )
})

describe('a time of a reply', () => {
  test('is shown in the zone of this machine, to the minute', () => {
    const time = new Date(2026, 2, 5, 9, 7, 31).toISOString()
    expect(toLocalTime(time)).toBe('2026-03-05 09:07')
    expect(toLocalDate(time)).toBe('2026-03-05')
  })

  test('leaves other texts as they are', () => {
    for (const text of ['never', '2026-03', '2026-03-05T09:07:31Z is late', ''])
      expect(toLocalTime(text)).toBe(text)
  })
})
