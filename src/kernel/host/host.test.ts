import { expect, test } from 'vitest'
import { realHost } from './host.ts'

test('ids are UUIDv7, and ids of a later millisecond sort later', async () => {
  const first = realHost.newId()
  await realHost.sleep(2)
  const second = realHost.newId()

  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect([second, first].toSorted()).toEqual([first, second])
})

test('an aborted signal ends a sleep, before or after its start', async () => {
  const leaving = new AbortController()
  const asleep = realHost.sleep(60_000, leaving.signal)
  leaving.abort()

  await asleep
  await realHost.sleep(60_000, leaving.signal)
})
