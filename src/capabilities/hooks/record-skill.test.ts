import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { hook, hooksNeeds, onEachEngine } from './hooks.fixture.ts'
import type { SkillUse } from './needs.ts'
import { recordSkill, type SkillInvocation } from './record-skill.ts'

async function skillFixture(db: Db) {
  const saved: SkillUse[] = []
  const { needs, emitted } = await hooksNeeds(db, {
    skillInvocations: {
      save: async (use) => {
        const isKnown = saved.some(({ toolUseId }) => toolUseId === use.toolUseId)
        if (!isKnown) saved.push(use)
        return !isKnown
      },
    },
  })
  const record = (more: Partial<SkillInvocation> = {}) =>
    recordSkill(needs, { hook: hook(), skillName: 'dig', success: true, toolUseId: 'u1', ...more })
  const rows = async () => saved
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
  expect(await rows()).toEqual([
    { ...used, id: expect.any(String), success: 0, cwd: null, origin: null },
  ])
  expect(emitted).toEqual([['skill.invoked', { ...used, success: false }]])
})

onEachEngine('a use that is already saved emits no event', async (db) => {
  const { emitted, record, rows } = await skillFixture(db)
  await record({ cwd: `/farm/ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`, origin: 'model' })
  expect(await record({ skillName: 'other' })).toEqual({ recorded: true })

  expect(await rows()).toMatchObject([{ cwd: '/farm/[REDACTED]', origin: 'model' }])
  expect(emitted).toHaveLength(1)
})
