import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const listMatches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ groups }) => groups?.['found'] ?? '')

test('the page about the dashboard lists every screen in the order of the navigation', () => {
  const names = listMatches(
    read('src/surfaces/dashboard/screens.ts'),
    /^ {4}name: '(?<found>\w+)'/gm,
  )
  const words = read('src/surfaces/dashboard/i18n/en/frame.ts')
  const titles = names.map((name) => new RegExp(`^ {4}${name}: '(.+)',$`, 'm').exec(words)?.[1])
  const [, table = ''] = read('docs/dashboard.md').split('| screen |')
  const [rows = ''] = table.split('\n## ')

  expect(titles).toHaveLength(13)
  expect(listMatches(rows, /^\| (?<found>[A-Z][^|]+) \|/gm)).toEqual(titles)
})
