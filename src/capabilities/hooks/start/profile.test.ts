import { expect, test } from 'vitest'
import { hooksSettings } from '../config.ts'
import { begin, hook, hooksNeeds, onEachEngine, withHooks } from '../hooks.fixture.ts'
import { chooseProfile } from './profile.ts'

const lean = { files: ['STYLE.md', 'AGENTS.md'], sections: ['files', 'memories'] }

onEachEngine('a harness gets only the files and sections of its profile', async (db) => {
  const given = await hooksNeeds(db)
  for (const file of ['AGENTS.md', 'SOUL.md', 'STYLE.md']) await given.write(file, `See ${file}.`)
  await given.write('agents/ada/MEMORY.md', 'The barn is red.')
  await given.remember('The gate stays shut.', { type: 'constraint' })
  const needs = withHooks(given.needs, {
    ...{ contextProfiles: { lean }, harnessProfiles: { codex: 'lean' } },
  })

  const told = await begin(needs)
  const other = await begin(needs, { hook: hook({ harness: 'opencode', sessionKey: 'two' }) })

  expect(told.stableSystemPrompt).toBe(
    '## STYLE\n\nSee STYLE.md.\n\n## Agent Instructions\n\nSee AGENTS.md.',
  )
  expect(told).not.toHaveProperty('recentContext')
  expect(told.dynamicContext).toBe('## Active Constraints\n\n- The gate stays shut.')
  expect(told.memories).toHaveLength(1)
  expect(told).not.toHaveProperty('warnings')
  expect(other.stableSystemPrompt).toContain('## Soul\n\nSee SOUL.md.')
  expect(other.stableSystemPrompt).not.toContain('STYLE')
  expect(other.recentContext).toBe('The barn is red.')
})

onEachEngine('what cannot be read is left out of a beginning, and warned of', async (db) => {
  const { needs, write } = await hooksNeeds(db)
  await write('agents/ada/MEMORY.md/odd', 'A folder where a file should be.')

  const told = await begin(needs)

  expect(told.warnings).toEqual(['agents/ada/MEMORY.md cannot be read (EISDIR).'])
  expect(told).not.toHaveProperty('recentContext')
  expect(told.dynamicContext).toContain('memory active')
})

onEachEngine('unknown names in a profile yield warnings', async (db) => {
  const given = await hooksNeeds(db)
  const needs = withHooks(given.needs, {
    contextProfiles: { odd: { sections: ['memories', 'weather'], colour: 'red' } },
    ...{ harnessProfiles: { codex: 'gone' }, defaultContextProfile: 'odd' },
  })

  expect((await begin(needs)).warnings).toEqual(["There is no context profile 'gone'."])
  const other = hook({ harness: 'constructor', sessionKey: 'two' })
  expect((await begin(needs, { hook: other })).warnings).toEqual([
    "The context profile 'odd' names 'colour', which is nothing.",
    "The context profile 'odd' names 'weather', which is nothing.",
  ])
})

test('a profile has a budget of its own', () => {
  const config = hooksSettings.schema.parse({
    contextProfiles: { small: { maxInjectTokens: 200 } },
    ...{ harnessProfiles: { codex: 'small' }, sessionStart: { maxInjectChars: 4000 } },
  })

  expect(chooseProfile(config, 'codex').budget).toBe(800)
  expect(chooseProfile(config, 'opencode').budget).toBe(4000)
})

test('a file of a profile lies in the workspace itself', () => {
  for (const file of ['../OTHER.md', '/etc/passwd', '.env', 'notes/a.md'])
    expect(
      hooksSettings.schema.safeParse({ contextProfiles: { p: { files: [file] } } }).success,
    ).toBe(false)
})
