import { expect } from 'vitest'
import type { AgentRemoval } from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { newAgent } from './agent.ts'
import { createAgent, removeAgent, updateAgent } from './manage-agents.ts'
import { agentsMigrations } from './migrations.ts'
import { createReachCache, readScopeOf } from './read-scope.ts'
import { insertIfAbsent, insertOrTouch, listAgents } from './store.ts'

const onEachEngine = testOnEachEngine(agentsMigrations)
const ada = callerFor('ada', 'admin')
const isolated = { readPolicy: 'isolated', policyGroup: null } as const
const host = fixedHost()
const agentOf = (caller: Parameters<typeof newAgent>[0]) => newAgent(caller, host.now())

function needsOf(db: Db, ...removals: AgentRemoval[]) {
  return { db, host, reachCache: createReachCache(host), removals: sealedPoint(...removals) }
}

/** Records removals in a list and as rows of agents, which a failed removal rolls back. */
function recordingNeeds(db: Db, removed: string[], fail = false) {
  const record = (how: string) => async (own: Db, agentId: string) => {
    await insertIfAbsent(own, agentOf(callerFor(`${how}-${agentId}`)))
    removed.push(`${how} ${agentId}`)
    if (fail) throw new Error('the disk is full')
  }
  return needsOf(db, { archive: record('archived'), purge: record('purged') })
}

const names = async (db: Db) => (await listAgents(db)).map(({ id }) => id)

onEachEngine('creating an existing agent updates its policy', async (db) => {
  const needs = needsOf(db)

  const first = await createAgent(needs, ada, { name: 'bob', ...isolated })
  const again = await createAgent(needs, ada, { name: 'bob', ...isolated, readPolicy: 'shared' })

  expect(first.created).toBe(true)
  expect(again).toMatchObject({ created: false, agent: { id: 'bob', readPolicy: 'shared' } })
  expect(await listAgents(db)).toHaveLength(1)
})

onEachEngine(
  'registration preserves the policy; a scoped token registers an isolated agent',
  async (db) => {
    await createAgent(needsOf(db), ada, { name: 'bob', ...isolated })

    await insertIfAbsent(db, agentOf(callerFor('bob')))
    await insertIfAbsent(db, agentOf(callerFor('cyd')))
    await insertIfAbsent(db, agentOf({ agentId: 'dan', scope: { agent: 'dan' } }))
    await insertOrTouch(db, agentOf({ agentId: 'eve', scope: { project: 'apollo' } }))

    expect((await listAgents(db)).map(({ id, readPolicy }) => [id, readPolicy])).toEqual([
      ['bob', 'isolated'],
      ['cyd', 'shared'],
      ['dan', 'isolated'],
      ['eve', 'isolated'],
    ])
  },
)

onEachEngine('partial policy updates take effect immediately', async (db) => {
  const needs = needsOf(db)
  await createAgent(needs, ada, { name: 'bob', ...isolated })
  await createAgent(needs, ada, { name: 'cyd', readPolicy: 'group', policyGroup: 'crew' })

  await updateAgent(needs, ada, { name: 'bob', policyGroup: 'crew' })
  await updateAgent(needs, ada, { name: 'bob', readPolicy: 'group' })

  expect(await readScopeOf(needs, db, callerFor('bob'))).toMatchObject({
    policy: 'group',
    groupAgents: ['bob', 'cyd'],
  })
  await expect(updateAgent(needs, ada, { name: 'bob', policyGroup: null })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('policy_group is required'),
  })
})

onEachEngine('an agent cannot change its own policy', async (db) => {
  const needs = needsOf(db)
  await createAgent(needs, ada, { name: 'bob', ...isolated })
  const self = callerFor('bob', 'agent')
  const wider = { ...isolated, readPolicy: 'shared' } as const

  for (const attempt of [
    () => updateAgent(needs, self, { name: 'bob', readPolicy: 'shared' }),
    () => createAgent(needs, self, { name: 'bob', ...wider }),
  ])
    await expect(attempt()).rejects.toMatchObject({ kind: 'forbidden' })
})

onEachEngine('removal archives the data of an agent, or purges it on request', async (db) => {
  const removed: string[] = []
  const needs = recordingNeeds(db, removed)
  for (const name of ['bob', 'cyd']) await insertIfAbsent(db, agentOf(callerFor(name)))

  const archived = await removeAgent(needs, ada, { name: 'bob', purge: false })
  const purged = await removeAgent(needs, ada, { name: 'cyd', purge: true })

  expect([archived, purged]).toEqual([
    { success: true, purged: false },
    { success: true, purged: true },
  ])
  expect(removed).toEqual(['archived bob', 'purged cyd'])
  expect(await names(db)).toEqual(['archived-bob', 'purged-cyd'])
})

onEachEngine('a failed removal changes nothing', async (db) => {
  const needs = recordingNeeds(db, [], true)
  await insertIfAbsent(db, agentOf(callerFor('bob')))

  await expect(removeAgent(needs, ada, { name: 'bob', purge: true })).rejects.toThrow('full')

  expect(await names(db)).toEqual(['bob'])
})

onEachEngine('rejects removing the default agent and an unknown agent', async (db) => {
  const removed: string[] = []
  const needs = recordingNeeds(db, removed)
  const remove = (name: string) => removeAgent(needs, ada, { name, purge: true })

  await expect(remove('default')).rejects.toMatchObject({ kind: 'invalid', code: 'default_agent' })
  await expect(remove('unknown')).rejects.toMatchObject({ kind: 'not_found' })
  expect(removed).toEqual([])
})

onEachEngine('an agent registered after removal is new', async (db) => {
  const needs = recordingNeeds(db, [])
  await createAgent(needs, ada, { name: 'bob', ...isolated })
  await removeAgent(needs, ada, { name: 'bob', purge: false })

  const { created } = await createAgent(needs, ada, { name: 'bob', ...isolated })

  expect(created).toBe(true)
})
