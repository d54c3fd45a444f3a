import { expect, onTestFinished, test, vi } from 'vitest'
import { createClock } from './clock.ts'

const now = new Date('2026-08-16T20:35:00.999Z')

test.each([
  ['America/Denver', '2026-08-16T14:35:00-06:00 (America/Denver)'],
  ['Pacific/Chatham', '2026-08-17T09:20:00+12:45 (Pacific/Chatham)'],
  ['UTC', '2026-08-16T20:35:00+00:00 (UTC)'],
])('formats the time in zone %s as %s', (zone, formatted) => {
  expect(createClock(zone)(now)).toBe(`Current date/time: ${formatted}`)
})

test.each([':/etc/localtime', ''])('falls back to UTC for the machine zone %j', (zone) => {
  vi.stubEnv('TZ', zone)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })

  expect(createClock()(now)).toBe('Current date/time: 2026-08-16T20:35:00+00:00 (UTC)')
})
