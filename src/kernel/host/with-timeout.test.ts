import { expect, test } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { withTimeout } from './with-timeout.ts'

test('returns the result in time and leaves no timer', async () => {
  const host = manualClockHost()

  expect(await withTimeout(host, 1_000, Promise.resolve('done'))).toBe('done')
  await expect(withTimeout(host, 1_000, Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  )
  expect(host.sleeps()).toEqual([])
})

test('returns after the timeout and ignores a later failure', async () => {
  const host = manualClockHost()
  const work = Promise.withResolvers<string>()
  const waiting = withTimeout(host, 1_000, work.promise)
  host.advance(1_000)

  expect(await waiting).toBeUndefined()
  work.reject(new Error('too late'))
})
