import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { createAgent, registerAgent, removeAgent, updateAgent } from './manage-agents.ts'
import { agentsMigrations } from './migrations.ts'
import { createReachCache, readScopeOf } from './read-scope.ts'

const onEachEngine = testOnEachEngine(agentsMigrations)
const ada = callerFor('ada', 'admin')

function daemonOf(db: Db, host = steeredHost()) {
  const needs = { db, host, reachCache: createReachCache(host), removals: { list: () => [] } }
  const policyOf = async (name: string) => (await readScopeOf(needs, db, callerFor(name))).policy
  return { needs, policyOf, host }
}

onEachEngine('each local change of an agent changes its read scope', async (db) => {
  const { needs, policyOf } = daemonOf(db)
  expect(await policyOf('bob')).toBe('isolated')

  await registerAgent(needs, db, callerFor('bob'))
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
    await registerAgent(needs, own, callerFor('bob'))
    expect((await readScopeOf(needs, own, callerFor('bob'))).policy).toBe('shared')
    throw new Error('changed my mind')
  })

  await expect(undone).rejects.toThrow('changed my mind')
  expect(await policyOf('bob')).toBe('isolated')
})

onEachEngine('a change by another daemon takes effect after 30 seconds', async (db) => {
  const here = daemonOf(db)
  const there = daemonOf(db)
  await registerAgent(here.needs, db, callerFor('bob'))
  expect(await here.policyOf('bob')).toBe('shared')

  await updateAgent(there.needs, ada, { name: 'bob', readPolicy: 'isolated' })
  here.host.advance(30_000)

  expect(await here.policyOf('bob')).toBe('isolated')
})
