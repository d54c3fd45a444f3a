import { expect, test } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { cacheFor } from './cache.ts'

test('a value is cached for its key until it expires, errors are not', async () => {
  const host = manualClockHost()
  const requests = { times: 0, key: 'one' }
  const read = cacheFor(host, { ttlMs: 1000, key: () => requests.key }, async () => {
    requests.times += 1
    if (requests.key === 'bad') throw new Error('no')
    return requests.times
  })

  expect([await read(), await read()]).toEqual([1, 1])
  host.advance(1000)
  expect(await read()).toBe(2)
  requests.key = 'two'
  expect(await read()).toBe(3)
  requests.key = 'bad'
  await expect(read()).rejects.toThrow('no')
  await expect(read()).rejects.toThrow('no')
  expect(requests.times).toBe(5)
})
