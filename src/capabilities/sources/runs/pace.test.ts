import { expect, test } from 'vitest'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { createPace } from './pace.ts'

test('work pauses as long as it took while recalls are performed, and not later', async () => {
  const host = manualClockHost()
  const pace = createPace(host)
  const work = (ms: number) => async () => {
    host.advance(ms)
    return ms
  }
  expect(await pace.run(work(40))).toBe(40)
  expect(pace.limit(25)).toBe(25)

  expect(pace.isBusy()).toBe(false)
  pace.yieldToRecalls()
  expect(pace.isBusy()).toBe(true)
  expect(pace.limit(25)).toBe(7)
  const paused = pace.run(work(40))
  await expect.poll(() => host.sleeps()).toEqual([40])
  host.advance(40)
  expect(await paused).toBe(40)

  const long = pace.run(work(300))
  await expect.poll(() => host.sleeps()).toEqual([100])
  host.advance(100)
  await long
  expect(await pace.run(work(40))).toBe(40)
})
