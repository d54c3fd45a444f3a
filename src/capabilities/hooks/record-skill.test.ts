import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { hook, hooksNeeds, onEachEngine } from './hooks.fixture.ts'
import { createHooks } from './index.ts'
import { recordSkill, type SkillInvocation } from './record-skill.ts'
import type { InvocationRow } from './store.ts'

const dayMs = 86_400_000

async function skillFixture(db: Db) {
  const { needs, emitted } = await hooksNeeds(db)
  const record = (more: Partial<SkillInvocation> = {}) =>
    recordSkill(needs, { hook: hook(), skillName: 'dig', success: true, toolUseId: 'u1', ...more })
  const rows = () =>
    db
      .withTables<{ skillInvocations: InvocationRow }>()
      .selectFrom('skillInvocations')
      .selectAll()
      .orderBy('id')
      .execute()
  return { needs, emitted, record, rows }
}

onEachEngine('the use of a skill is saved and emitted without secrets', async (db) => {
  const { needs, emitted, record, rows } = await skillFixture(db)
  const errorText = `no ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`

  expect(await record({ success: false, latencyMs: 7, errorText })).toEqual({ recorded: true })

  const used = {
    agentId: 'ada',
    harness: 'codex',
    sessionKey: 'one',
    skillName: 'dig',
    toolUseId: 'u1',
    latencyMs: 7,
    errorText: 'no [REDACTED]',
    createdAt: needs.host.now().toISOString(),
  }
  expect(await rows()).toEqual([{ ...used, id: expect.any(String), success: 0 }])
  expect(emitted).toEqual([['skill.invoked', { ...used, success: false }]])
})

onEachEngine('repeated and concurrent calls record one use', async (db) => {
  const { emitted, record, rows } = await skillFixture(db)
  await Promise.all([record(), record(), record({ skillName: 'other' })])
  expect(await record()).toEqual({ recorded: true })
  expect(await rows()).toHaveLength(1)
  expect(emitted).toHaveLength(1)

  await record({ toolUseId: 'u2' })
  await record({ hook: hook({ sessionKey: 'two' }) })
  await record({ hook: hook({ sessionKey: undefined }) })
  await record({ hook: hook({ sessionKey: undefined }) })
  await record({ hook: hook({ harness: 'gemini', runtimePath: null }) })
  expect(await rows()).toHaveLength(5)
  await record({ toolUseId: undefined })
  await record({ toolUseId: undefined })
  expect(await rows()).toHaveLength(7)
})

onEachEngine('deletes uses after ninety days and with their agent', async (db) => {
  const { needs, record, rows } = await skillFixture(db)
  const hooks = createHooks(needs)
  await record()
  needs.host.advance(90 * dayMs)
  await record({ toolUseId: 'u2' })
  await hooks.sweep()
  expect(await rows()).toHaveLength(2)
  needs.host.advance(1)
  await hooks.sweep()
  expect(await rows()).toMatchObject([{ toolUseId: 'u2' }])

  await hooks.agentRemoval.archive(db, 'ada')
  expect(await rows()).toEqual([])
})
