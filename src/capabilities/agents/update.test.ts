import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { createAgent, updateAgent } from './manage-agents.ts'
import { agentsMigrations } from './migrations.ts'
import { createReachCache, readScopeOf } from './read-scope.ts'

const onEachEngine = testOnEachEngine(agentsMigrations)
const ada = callerFor('ada')
const isolated = { readPolicy: 'isolated', policyGroup: null } as const

onEachEngine('partial policy updates take effect immediately', async (db) => {
  const needs = {
    db,
    host: fixedHost(),
    reachCache: createReachCache(fixedHost()),
    removals: { list: () => [] },
  }
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
  const needs = {
    db,
    host: fixedHost(),
    reachCache: createReachCache(fixedHost()),
    removals: { list: () => [] },
  }
  await createAgent(needs, ada, { name: 'bob', ...isolated })
  const self = callerFor('bob', 'agent')
  const wider = { ...isolated, readPolicy: 'shared' } as const

  for (const attempt of [
    () => updateAgent(needs, self, { name: 'bob', readPolicy: 'shared' }),
    () => createAgent(needs, self, { name: 'bob', ...wider }),
  ])
    await expect(attempt()).rejects.toMatchObject({ kind: 'forbidden' })
})
