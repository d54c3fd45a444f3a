import { globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { descriptionsFile, readSettingDescriptions } from '../../scripts/setting-descriptions.ts'
import { settingsSections } from '../../src/daemon/daemon.ts'
import { aliases } from '../../src/kernel/config/aliases.ts'
import { kernelSections, parseConfig } from '../../src/kernel/config/config.ts'
import { readEnvironment, variables } from '../../src/kernel/config/environment.ts'
import { listSettings } from '../../src/kernel/config/settings.ts'

const page = readFileSync('docs/configuration.md', 'utf8')
const [, example = ''] = /```yaml\n([^`]*)```/.exec(page) ?? []

const sections = [...kernelSections, ...settingsSections]
const settings = listSettings(sections)

/** The first two cells of the rows whose first cell holds such a name. */
function readRows(name: RegExp): Map<string, string> {
  const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)]
  const cells = rows.map(([, first = '', second = '']) => [first, second] as const)
  return new Map(cells.filter(([first]) => name.test(first)))
}

function render(byDefault: unknown): string {
  if (byDefault === undefined || JSON.stringify(byDefault) === '[]') return 'none'
  const written = String(byDefault).replace(homedir(), '~')
  // No page names a path of one machine.
  return `\`${written.replace(/^\/tmp\/(.*)$/, '$1` in `/tmp')}\``
}

const documented = new Map(
  [...readRows(/^[a-z]\w*\./)].map(([name, cells]) => [name.replace(/<\w+>$/, '<name>'), cells]),
)

test('docs/configuration.md has exactly one row for each setting', () => {
  expect([...documented.keys()].toSorted()).toEqual([...settings.keys()].toSorted())
})

test('the descriptions of the settings are those of docs/configuration.md', () => {
  const descriptions: unknown = JSON.parse(readFileSync(descriptionsFile, 'utf8'))

  expect(descriptions, 'npm run docs').toEqual(readSettingDescriptions(page))
  expect(Object.keys(Object(descriptions)).toSorted()).toEqual(
    [...settings.keys()].map((name) => name.replace('.<name>', '')).toSorted(),
  )
})

test.each([...settings].filter(([name]) => !name.endsWith('<name>')))(
  'docs/configuration.md documents the default of %s',
  (name, byDefault) => {
    expect(documented.get(name)).toBe(render(byDefault))
  },
)

test('the example in docs/configuration.md is valid and shows every setting', () => {
  const written: unknown = parse(example)
  const shown = (name: string) =>
    name
      .replace('.<name>', '')
      .split('.')
      .reduce<unknown>((at, part) => Object(at)[part], written) !== undefined

  expect(
    [...settings.keys()].filter((name) => !shown(name)),
    'add these to it',
  ).toEqual([])
  const config = { environment: readEnvironment({}), file: 'agent.yaml', text: example }
  expect(parseConfig(config, settingsSections).unknownSettings).toEqual([])
})

test.each(Object.entries(aliases))('%s is documented as an old name of %s', (key, replacement) => {
  expect([settings.has(key), settings.has(replacement)]).toEqual([false, true])
  const row = page.split('\n').find((line) => line.startsWith(`| \`${replacement}\` |`))
  expect(row).toContain(`older name \`${key}\``)
})

const unsaid: Readonly<Record<string, unknown>> = variables.parse({})

test.each(Object.keys(variables.shape))(
  'docs/configuration.md documents the default of the variable %s',
  (name) => {
    expect(readRows(/^[A-Z_]+$/).get(name)).toBe(render(unsaid[name]))
  },
)

test('docs/configuration.md documents the rate limits', () => {
  const [, limits = ''] =
    /const defaultLimits = \{([^}]*)\}/.exec(
      readFileSync('src/kernel/auth/rate-buckets.ts', 'utf8'),
    ) ?? []
  const [, cells = ''] = page.split('## Rate limits')
  const read = (text: string, cell: RegExp) =>
    [...text.matchAll(cell)].map(([, bucket, calls]) => `${bucket} ${calls}`).toSorted()

  expect(read(cells, /`(\w+)` \| (\d+)/g)).toEqual(read(limits, /(\w+): (\d+)/g))
})

test('every variable in the sources is documented', () => {
  const pages = page + readFileSync('docs/cli.md', 'utf8')
  const sources = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', 'src/kernel/testing/**'] })
  const named = sources.flatMap(
    (path) => readFileSync(path, 'utf8').match(/\bSVC_[A-Z_]+\b/g) ?? [],
  )

  expect([...new Set(named)].filter((name) => !pages.includes(`\`${name}\``))).toEqual([])
})

test('docs/configuration.md marks the settings that need a restart', () => {
  const rows = [...page.matchAll(/^\| `([a-z][\w.<>]*)` \| [^|]* \| on restart \|/gm)]
  const kernelSettings = [...listSettings(kernelSections).keys()]
  const restartSettings = settingsSections.flatMap(({ key, restart = [] }) =>
    restart.map((name) => `${key}.${name}`),
  )

  expect(rows.map(([, name = '']) => name.replace(/<\w+>$/, '<name>')).toSorted()).toEqual(
    [...kernelSettings, ...restartSettings].toSorted(),
  )
})
