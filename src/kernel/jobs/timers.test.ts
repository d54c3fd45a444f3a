import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { createTimers } from './timers.ts'

/** An overloaded machine is slow. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000 })

function timers() {
  const lines: string[] = []
  const host = manualClockHost()
  const log = createLog('error', { write: (line) => lines.push(line) })
  const timers = createTimers({ host, log })
  onTestFinished(() => timers.stop())
  return { host, timers, lines }
}

test('runs a timer after each interval and logs a repeated fault once', async () => {
  const { host, timers: own, lines } = timers()
  let runs = 0
  own.every('tick', 1_000, () => {
    runs += 1
    return Promise.reject(new Error('no luck'))
  })

  for (const expected of [1, 2]) {
    await eventually(() => host.sleeps()).toEqual([1_000])
    host.advance(1_000)
    await eventually(() => runs).toBe(expected)
  }

  await eventually(() => lines.map((line) => JSON.parse(line))).toMatchObject([{ timer: 'tick' }])
})

test('runs a timer with a long interval soon after the start', async () => {
  const { host, timers: own } = timers()
  let runs = 0
  own.every('seldom', 6 * 3_600_000, async () => {
    runs += 1
  })

  await eventually(() => host.sleeps()).toEqual([600_000])
  host.advance(600_000)
  await eventually(() => runs).toBe(1)
  await eventually(() => host.sleeps()).toEqual([6 * 3_600_000])
})

test('computes the times of a cron expression', async () => {
  const { host, timers: own } = timers()
  own.every('hourly', '0 0 * * * *', () => Promise.resolve())

  await eventually(() => host.sleeps()).toEqual([(60 - 4) * 60_000 - 5_000])
})

test('rejects an invalid cron expression immediately', () => {
  expect(() => timers().timers.every('odd', 'whenever', () => Promise.resolve())).toThrow()
})

test('skips times during a run, and stop waits for the run', async () => {
  const { host, timers: own } = timers()
  const release = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  own.every('slow', 1_000, (signal) => {
    signals.push(signal)
    return release.promise
  })
  host.advance(1_000)
  await eventually(() => signals).toHaveLength(1)
  host.advance(60_000)

  let stopped = false
  const stopping = own.stop().then(() => {
    stopped = true
  })
  expect([signals.length, signals[0]?.aborted, stopped]).toEqual([1, true, false])

  release.resolve()
  await stopping
})
