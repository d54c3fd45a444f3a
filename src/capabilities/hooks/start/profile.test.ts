import { expect, test } from 'vitest'
import { hooksSettings } from '../config.ts'
import { hook, hooksNeeds, onEachEngine, startWithContext, withSettings } from '../hooks.fixture.ts'
import { chooseProfile } from './profile.ts'

const lean = { files: ['STYLE.md', 'AGENTS.md'], sections: ['files', 'memories'] }

onEachEngine('a harness gets only the files and sections of its profile', async (db) => {
  const fixture = await hooksNeeds(db)
  for (const file of ['AGENTS.md', 'SOUL.md', 'STYLE.md']) await fixture.write(file, `See ${file}.`)
  await fixture.write('agents/ada/MEMORY.md', 'The barn is red.')
  await fixture.remember('The gate stays shut.', { type: 'constraint' })
  const needs = withSettings(fixture.needs, {
    contextProfiles: { lean },
    harnessProfiles: { codex: 'lean' },
  })

  const context = await startWithContext(needs)
  const other = await startWithContext(needs, {
    hook: hook({ harness: 'opencode', sessionKey: 'two' }),
  })

  expect(context.stableSystemPrompt).toBe(
    '## STYLE\n\nSee STYLE.md.\n\n## Agent Instructions\n\nSee AGENTS.md.',
  )
  expect(context).not.toHaveProperty('recentContext')
  expect(context.dynamicContext).toBe('## Active Constraints\n\n- The gate stays shut.')
  expect(context.memories).toHaveLength(1)
  expect(context).not.toHaveProperty('warnings')
  expect(other.stableSystemPrompt).toContain('## Soul\n\nSee SOUL.md.')
  expect(other.stableSystemPrompt).not.toContain('STYLE')
  expect(other.recentContext).toBe('The barn is red.')
})

onEachEngine('omits an unreadable MEMORY.md with a warning', async (db) => {
  const { needs, write } = await hooksNeeds(db)
  await write('agents/ada/MEMORY.md/odd', 'A folder where a file should be.')

  const context = await startWithContext(needs)

  expect(context.warnings).toEqual(['agents/ada/MEMORY.md cannot be read (EISDIR).'])
  expect(context).not.toHaveProperty('recentContext')
  expect(context.dynamicContext).toContain('memory active')
})

onEachEngine('unknown names in a profile yield warnings', async (db) => {
  const fixture = await hooksNeeds(db)
  const needs = withSettings(fixture.needs, {
    contextProfiles: { odd: { sections: ['memories', 'weather'], colour: 'red' } },
    harnessProfiles: { codex: 'gone' },
    defaultContextProfile: 'odd',
  })

  expect((await startWithContext(needs)).warnings).toEqual(["There is no context profile 'gone'."])
  const other = hook({ harness: 'constructor', sessionKey: 'two' })
  expect((await startWithContext(needs, { hook: other })).warnings).toEqual([
    "The context profile 'odd' names 'colour', which is nothing.",
    "The context profile 'odd' names 'weather', which is nothing.",
  ])
})

test('chooses the budget of the profile', () => {
  const config = hooksSettings.schema.parse({
    contextProfiles: { small: { maxInjectTokens: 200 } },
    harnessProfiles: { codex: 'small' },
    sessionStart: { maxInjectChars: 4000 },
  })

  expect(chooseProfile(config, 'codex').budget).toBe(800)
  expect(chooseProfile(config, 'opencode').budget).toBe(4000)
})

test('rejects profile files outside the workspace root', () => {
  for (const file of ['../OTHER.md', '/etc/passwd', '.env', 'notes/a.md'])
    expect(
      hooksSettings.schema.safeParse({ contextProfiles: { p: { files: [file] } } }).success,
    ).toBe(false)
})
