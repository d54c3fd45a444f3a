import { expect } from 'vitest'
import type { AgentRemoval } from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { createAgent, registerAgent, removeAgent } from './manage-agents.ts'
import { agentsMigrations } from './migrations.ts'
import { createReachCache } from './read-scope.ts'

import { listAgents } from './store.ts'

const onEachEngine = testOnEachEngine(agentsMigrations)
const ada = callerFor('ada', 'admin')

/** Keeps notes of who left, as rows of agents, for those roll back with the rest. */
function needsOf(db: Db, departed: string[], fail = false) {
  const leave = (how: string) => async (own: Db, agentId: string) => {
    await registerAgent(needs, own, callerFor(`${how}-${agentId}`))
    departed.push(`${how} ${agentId}`)
    if (fail) throw new Error('the disk is full')
  }
  const removal: AgentRemoval = { archive: leave('archived'), purge: leave('purged') }
  const needs = {
    db,
    host: fixedHost(),
    reachCache: createReachCache(fixedHost()),
    removals: sealedPoint(removal),
  }
  return needs
}

const names = async (db: Db) => (await listAgents(db)).map(({ id }) => id)

onEachEngine('removal archives the data of an agent, or purges it on request', async (db) => {
  const departed: string[] = []
  const needs = needsOf(db, departed)
  for (const name of ['bob', 'cyd']) await registerAgent(needs, db, callerFor(name))

  const archived = await removeAgent(needs, ada, { name: 'bob', purge: false })
  const purged = await removeAgent(needs, ada, { name: 'cyd', purge: true })

  expect([archived, purged]).toEqual([
    { success: true, purged: false },
    { success: true, purged: true },
  ])
  expect(departed).toEqual(['archived bob', 'purged cyd'])
  expect(await names(db)).toEqual(['archived-bob', 'purged-cyd'])
})

onEachEngine('a failed removal changes nothing', async (db) => {
  const needs = needsOf(db, [], true)
  await registerAgent(needs, db, callerFor('bob'))

  await expect(removeAgent(needs, ada, { name: 'bob', purge: true })).rejects.toThrow('full')

  expect(await names(db)).toEqual(['bob'])
})

onEachEngine('rejects removing the default agent and an unknown agent', async (db) => {
  const departed: string[] = []
  const needs = needsOf(db, departed)
  const remove = (name: string) => removeAgent(needs, ada, { name, purge: true })

  await expect(remove('default')).rejects.toMatchObject({ kind: 'invalid', code: 'default_agent' })
  await expect(remove('nobody')).rejects.toMatchObject({ kind: 'not_found' })
  expect(departed).toEqual([])
})

onEachEngine('an agent registered after removal is new', async (db) => {
  const needs = needsOf(db, [])
  const isolated = { readPolicy: 'isolated', policyGroup: null } as const
  await createAgent(needs, ada, { name: 'bob', ...isolated })
  await removeAgent(needs, ada, { name: 'bob', purge: false })

  const { created } = await createAgent(needs, ada, { name: 'bob', ...isolated })

  expect(created).toBe(true)
})
