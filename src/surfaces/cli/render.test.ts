import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { renderDetail, renderRows } from './render.ts'

test.each<[name: string, value: unknown, text: string]>([
  [
    'plain values of an object',
    { artifacts: 22, isWhole: true, error: null },
    'artifacts 22, is whole yes',
  ],
  ['a list of plain values', ['a', 2], 'a, 2'],
  ['an object within an object', { own: { a: 1 } }, '{"own":{"a":1}}'],
  ['a text', 'words', 'words'],
])('a field shows %s', (_name, value, text) => {
  const lines = stripVTControlCharacters(renderDetail({ stats: value, empty: [], none: {} })).split(
    '\n',
  )
  expect(lines).toEqual([`${'stats'.padEnd(18)} ${text}`])
})

test.each([
  { width: undefined, memory: 'The gateway runs on port 8443 in Ostrava.' },
  { width: 80, memory: 'The gateway runs on port 8443 in Ostrava.' },
  { width: 70, memory: 'The gateway runs on port 8443 i…' },
  { width: 30, memory: 'The gateway runs on…' },
])('a table at a terminal of $width columns cuts a text and no id', ({ width, memory }) => {
  const id = '0195f3a0-0000-7000-8000-000000000000'
  const rows = [{ id, type: 'fact', memory: 'The gateway runs on port 8443 in Ostrava.' }]
  const columns = { id: 'id', memory: 'memory' }

  const [, row] = stripVTControlCharacters(renderRows(rows, columns, width)).split('\n')
  expect(row?.trimEnd()).toBe(`${id}  ${memory}`)
})
