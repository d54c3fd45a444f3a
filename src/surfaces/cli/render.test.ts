import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { renderDetail } from './render.ts'

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
