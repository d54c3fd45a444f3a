import { expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { newAgent } from './agent.ts'
import { createAgent, removeAgent, updateAgent } from './manage-agents.ts'
import { agentsMigrations } from './migrations.ts'
import { createReachCache, type Reach, readScopeOf } from './read-scope.ts'
import { insertIfAbsent } from './store.ts'

const onEachEngine = testOnEachEngine(agentsMigrations)
const ada = callerFor('ada', 'admin')
const bob = newAgent(callerFor('bob'), fixedHost().now())

function daemonOf(db: Db, host = manualClockHost()) {
  const needs = { db, host, reachCache: createReachCache(host), removals: { list: () => [] } }
  const policyOf = async (name: string) => (await readScopeOf(needs, db, callerFor(name))).policy
  return { needs, policyOf, host }
}

onEachEngine('each local change of an agent changes its read scope', async (db) => {
  const { needs, policyOf } = daemonOf(db)
  expect(await policyOf('bob')).toBe('isolated')

  await insertIfAbsent(db, bob)
  expect(await policyOf('bob')).toBe('shared')
  await updateAgent(needs, ada, { name: 'bob', readPolicy: 'isolated' })
  expect(await policyOf('bob')).toBe('isolated')
  await createAgent(needs, ada, { name: 'bob', readPolicy: 'group', policyGroup: 'crew' })
  expect(await policyOf('bob')).toBe('group')
  await removeAgent(needs, ada, { name: 'bob', purge: false })
  expect(await policyOf('bob')).toBe('isolated')
})

onEachEngine('does not cache a change that is rolled back', async (db) => {
  const { needs, policyOf } = daemonOf(db)

  const undone = transaction(db, async (own) => {
    await insertIfAbsent(own, bob)
    expect((await readScopeOf(needs, own, callerFor('bob'))).policy).toBe('shared')
    throw new Error('changed my mind')
  })

  await expect(undone).rejects.toThrow('changed my mind')
  expect(await policyOf('bob')).toBe('isolated')
})

onEachEngine('a change by another daemon takes effect after 30 seconds', async (db) => {
  const here = daemonOf(db)
  const there = daemonOf(db)
  await insertIfAbsent(db, bob)
  expect(await here.policyOf('bob')).toBe('shared')

  await updateAgent(there.needs, ada, { name: 'bob', readPolicy: 'isolated' })
  here.host.advance(30_000)

  expect(await here.policyOf('bob')).toBe('isolated')
})

const shared: Reach = { policy: 'shared', groupAgents: [] }
const isolated: Reach = { policy: 'isolated', groupAgents: [] }

test('does not cache a read that began before a change', async () => {
  const reachCache = createReachCache(fixedHost())
  const slow = Promise.withResolvers<Reach>()
  const reading = reachCache.get('bob', () => slow.promise)
  reachCache.invalidate({} as Db)
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
