import { expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { createReaches, type Reach } from './reaches.ts'

const db = {} as Db
const shared: Reach = { policy: 'shared', groupAgents: [] }
const isolated: Reach = { policy: 'isolated', groupAgents: [] }

test('what was read before a change is not kept after it', async () => {
  const reaches = createReaches(fixedHost())
  const slow = Promise.withResolvers<Reach>()
  const reading = reaches.of('bob', () => slow.promise)
  reaches.forget(db)
  slow.resolve(shared)

  expect(await reading).toBe(shared)
  expect(await reaches.of('bob', async () => isolated)).toBe(isolated)
})

test('an agent nobody has heard of is asked about again', async () => {
  const reaches = createReaches(fixedHost())

  expect(await reaches.of('bob', async () => undefined)).toBeUndefined()
  expect(await reaches.of('bob', async () => shared)).toBe(shared)
})

test('only so many are kept', async () => {
  const reaches = createReaches(fixedHost())
  await reaches.of('first', async () => shared)
  for (let agent = 0; agent < 1_000; agent++) await reaches.of(`${agent}`, async () => shared)

  expect(await reaches.of('first', async () => isolated)).toBe(isolated)
})
