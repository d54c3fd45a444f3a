import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { harnesses as listed } from '../../src/capabilities/harnesses/list.ts'
import { harnesses } from '../../src/surfaces/cli/harnesses/detect.ts'
import { createLauncher, type Harness } from '../../src/surfaces/cli/harnesses/harness.ts'

const page = readFileSync('docs/harnesses.md', 'utf8')
const [, written = '', section = ''] = page.split(/^## .*/m)
const places = {
  home: '~',
  workspace: '~/.svc',
  claudeHome: '~/.claude',
  claudeState: '~/.claude.json',
  codexHome: '~/.codex',
  configHome: '~/.config',
}
const edits = ({ files }: Harness) => files(places, createLauncher('/bin/reverie'))

/** The rows of one harness: only the first one names it. */
function rowsOf(table: string, { id }: Harness): string {
  const [, rest = ''] = table.split(`| \`${id}\` |`)
  return rest.split(/^\| `/m)[0] ?? ''
}

test.each(harnesses)('docs/harnesses.md names each file of $id', (harness) => {
  const rows = rowsOf(written, harness)

  expect(edits(harness).filter(({ path }) => !rows.includes(`\`${path}\``))).toEqual([])
})

test.each(harnesses.filter(({ id }) => id !== 'generic'))(
  'docs/harnesses.md names each hook of $id',
  (harness) => {
    const hooks = edits(harness).flatMap((edit) => ('hooks' in edit ? (edit.hooks ?? []) : []))
    const rows = hooks.map(({ list, value }) => {
      const [, event] = / hook (\S+) /.exec(String(value['command'])) ?? []
      return `| ${list.at(-1)} | \`${event}\` |`
    })

    expect(rows.filter((row) => !`|${rowsOf(section, harness)}`.includes(row))).toEqual([])
  },
)

test('daemon and command line use the same names for harnesses', () => {
  const names = new Map(harnesses.map(({ id, name }) => [id, name]))
  const both = listed.filter(({ id }) => names.has(id))

  expect(both.length).toBeGreaterThan(3)
  expect(both.filter(({ id, name }) => names.get(id) !== name)).toEqual([])
})
