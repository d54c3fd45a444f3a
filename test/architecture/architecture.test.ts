import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const longest = 300
const saysNothing = /^(utils?|helpers?|common|misc|types|manager|service|constants)\.ts$/

const files = globSync('{src,scripts,test,bench}/**/*.ts').map((path) => ({
  path,
  text: readFileSync(path, 'utf8').replaceAll(/^.* from '.*'$/gm, ''),
  capability: path.split('/')[2],
}))
const stores = files.filter(({ path }) =>
  /\/capabilities\/.*\/(store|migrations)(\.ts$|\/)/.test(path),
)
const tables = stores.flatMap(({ text, capability }) =>
  [...text.matchAll(/create table (\w+)|createTable\('(\w+)'\)/g)].map(([, raw, built]) => ({
    table: raw ?? built ?? '',
    owner: capability,
  })),
)

test.each(files)('$path is short and has a descriptive name', ({ path, text }) => {
  expect(text.split('\n').length).toBeLessThanOrEqual(longest)
  expect(basename(path)).not.toMatch(saysNothing)
})

const withoutComments = (text: string) => text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')

test('no pattern has modifiers, which V8 loses in a process with much machine code', () => {
  const modifiers = /\(\?(?=[a-z-]+:)[ims]*-?[ims]*:/
  expect(modifiers.test('(?-i:a)') && modifiers.test('(?i:a)') && !modifiers.test('(?:a)')).toBe(
    true,
  )
  expect(
    files.filter(({ text }) => modifiers.test(withoutComments(text))).map(({ path }) => path),
  ).toEqual(['test/architecture/architecture.test.ts'])
})

test.each(tables)('only $owner names the table $table', ({ table, owner }) => {
  const camel = table.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  const named = new RegExp(`\\b(${table}|${camel})\\b`)
  const others = stores.filter(({ capability }) => capability !== owner)

  expect(
    others.filter(({ text }) => named.test(withoutComments(text))).map(({ path }) => path),
  ).toEqual([])
})
