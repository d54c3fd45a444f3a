import { expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { createReachCache, type Reach } from './read-scope.ts'

const db = {} as Db
const shared: Reach = { policy: 'shared', groupAgents: [] }
const isolated: Reach = { policy: 'isolated', groupAgents: [] }

test('does not cache a read that began before a change', async () => {
  const reachCache = createReachCache(fixedHost())
  const slow = Promise.withResolvers<Reach>()
  const reading = reachCache.get('bob', () => slow.promise)
  reachCache.invalidate(db)
  slow.resolve(shared)

  expect(await reading).toBe(shared)
  expect(await reachCache.get('bob', async () => isolated)).toBe(isolated)
})

test('does not cache an unknown agent', async () => {
  const reachCache = createReachCache(fixedHost())

  expect(await reachCache.get('bob', async () => undefined)).toBeUndefined()
  expect(await reachCache.get('bob', async () => shared)).toBe(shared)
})

test('bounds the number of cached entries', async () => {
  const reachCache = createReachCache(fixedHost())
  await reachCache.get('first', async () => shared)
  for (let agent = 0; agent < 1_000; agent++) await reachCache.get(`${agent}`, async () => shared)

  expect(await reachCache.get('first', async () => isolated)).toBe(isolated)
})
