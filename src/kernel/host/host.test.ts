import { expect, test } from 'vitest'
import { realHost } from './host.ts'

test('ids are UUIDs of version 7, of which those of a later millisecond sort later', async () => {
  const first = realHost.newId()
  await realHost.sleep(2)
  const second = realHost.newId()

  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect([second, first].toSorted()).toEqual([first, second])
})

test('a sleep ends early when nobody waits for it, be it before or after it has begun', async () => {
  const leaving = new AbortController()
  const asleep = realHost.sleep(60_000, leaving.signal)
  leaving.abort()

  await asleep
  await realHost.sleep(60_000, leaving.signal)
})
