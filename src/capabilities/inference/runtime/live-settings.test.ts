import { expect, test } from 'vitest'
import { createLiveSettings } from './live-settings.ts'

const targets = { home: { executor: 'ollama', models: { m: { model: 'tiny' } } } }
const broken: readonly (readonly [string, unknown])[] = [
  ['a number', 5],
  ['a list', []],
  ['targets that are a text', { targets: 'home' }],
  ['providers that are a list', { providers: [] }],
  ['budgets that are a number', { targets: {}, budgets: 1 }],
  ['a default policy that is not defined', { defaultPolicy: 'none' }],
]
const pairs = broken.flatMap(([one, first]) =>
  broken.map(([two, second]) => ({ one, first, two, second })),
)

function openSettings(section: unknown) {
  const state = { section }
  const listeners: (() => void)[] = []
  const raw = {
    read: () => ({ section: state.section, extraction: undefined }),
    onChange: (listener: () => void) => listeners.push(listener),
  }
  const logged: unknown[] = []
  const log = {
    warn: (issue: object) => logged.push(issue),
    error: (issue: object) => logged.push(issue),
  }
  const edit = (next: unknown) => {
    state.section = next
    for (const listen of listeners) listen()
  }
  return { settings: createLiveSettings(raw, log as never), edit, logged }
}

test.each(pairs)('the last good settings stay after $one, and $two', ({ first, second }) => {
  const { settings, edit, logged } = openSettings({ targets })
  for (const section of [first, second]) {
    edit(section)
    expect([...settings.current().models.keys()]).toEqual(['home/m'])
    expect(settings.current().issues).not.toEqual([])
  }
  expect(logged.length).toBeGreaterThan(0)

  edit({ targets: { other: targets.home } })
  expect([...settings.current().models.keys()]).toEqual(['other/m'])
  expect(settings.current().issues).toEqual([])
})

test('an invalid entry is left out, and a removed section removes its targets', () => {
  const { settings, edit } = openSettings({ targets })
  edit({ targets: { ...targets, odd: 5 } })
  expect([...settings.current().targets.keys()]).toEqual(['home'])
  expect(settings.current().issues).toHaveLength(1)

  edit(undefined)
  expect(settings.current()).toMatchObject({ source: 'disabled', issues: [] })
})

test('a daemon that starts with broken settings uses what can be read', () => {
  const { settings } = openSettings({ targets, policies: 'none' })

  expect([...settings.current().models.keys()]).toEqual(['home/m'])
  expect(settings.current().issues).toHaveLength(1)
})
