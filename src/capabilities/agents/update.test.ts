import { expect } from 'vitest'
import type { Caller } from '../../kernel/auth/caller.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { createAgent } from './create.ts'
import { agentsMigrations } from './migrations.ts'
import { createReaches } from './reaches.ts'
import { readScopeOf } from './read-scope.ts'
import { updateAgent } from './update.ts'

const onEachEngine = testOnEachEngine(agentsMigrations)
const ada = callerFor('ada')
const confined: Caller = { ...callerFor('bob'), scope: { agent: 'bob' } }
const isolated = { readPolicy: 'isolated', policyGroup: null } as const

onEachEngine('a policy changes in parts and holds at once', async (db) => {
  const needs = {
    db,
    host: fixedHost(),
    reaches: createReaches(fixedHost()),
    departures: () => [],
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

onEachEngine(
  'a confined token speaks of its agent alone, and no agent frees itself',
  async (db) => {
    const needs = {
      db,
      host: fixedHost(),
      reaches: createReaches(fixedHost()),
      departures: () => [],
    }
    await createAgent(needs, confined, { name: 'bob', ...isolated })
    const self = callerFor('bob', 'agent')
    const wider = { ...isolated, readPolicy: 'shared' } as const

    for (const attempt of [
      () => createAgent(needs, confined, { name: 'cyd', ...isolated }),
      () => updateAgent(needs, confined, { name: 'cyd', readPolicy: 'shared' }),
      () => updateAgent(needs, self, { name: 'bob', readPolicy: 'shared' }),
      () => createAgent(needs, self, { name: 'bob', ...wider }),
    ])
      await expect(attempt()).rejects.toMatchObject({ kind: 'forbidden' })

    expect(await updateAgent(needs, confined, { name: 'bob', readPolicy: 'shared' })).toMatchObject(
      {
        readPolicy: 'shared',
      },
    )
  },
)
