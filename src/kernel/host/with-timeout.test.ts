import { expect, test } from 'vitest'
import { steeredHost } from '../testing/steered-host.ts'
import { withTimeout } from './with-timeout.ts'

test('returns the result in time and leaves no timer', async () => {
  const host = steeredHost()

  expect(await withTimeout(host, 1_000, Promise.resolve('done'))).toBe('done')
  await expect(withTimeout(host, 1_000, Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  )
  expect(host.sleeps()).toEqual([])
})

test('returns after the timeout and ignores a later failure', async () => {
  const host = steeredHost()
  const work = Promise.withResolvers<string>()
  const waiting = withTimeout(host, 1_000, work.promise)
  host.advance(1_000)

  expect(await waiting).toBeUndefined()
  work.reject(new Error('too late'))
})
