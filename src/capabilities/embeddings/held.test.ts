import { expect, test } from 'vitest'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { held } from './held.ts'

test('what was read holds for a while, for one key, and not when it failed', async () => {
  const host = steeredHost()
  const asked = { times: 0, key: 'one' }
  const read = held(host, { holdsMs: 1000, key: () => asked.key }, async () => {
    asked.times += 1
    if (asked.key === 'bad') throw new Error('no')
    return asked.times
  })

  expect([await read(), await read()]).toEqual([1, 1])
  host.advance(1000)
  expect(await read()).toBe(2)
  asked.key = 'two'
  expect(await read()).toBe(3)
  asked.key = 'bad'
  await expect(read()).rejects.toThrow('no')
  await expect(read()).rejects.toThrow('no')
  expect(asked.times).toBe(5)
})
