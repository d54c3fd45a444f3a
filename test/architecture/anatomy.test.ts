import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const maxReadmeLines = 30
const folders = globSync(['src/capabilities/*', 'src/kernel/*', 'src/search', 'src/static-model'])
const sources = globSync('src/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const named = (name: string) => sources.filter(({ path }) => basename(path) === name)

test.each(folders)('%s has a short README with its purpose', (folder) => {
  expect(existsSync(`${folder}/README.md`), `${folder}/README.md`).toBe(true)
  const readme = readFileSync(`${folder}/README.md`, 'utf8')

  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(maxReadmeLines)
  expect(readme).toMatch(new RegExp(`^# ${basename(folder)}\n`))
})

/** The other folders that its product sources import. */
function usedBy(folder: string): string[] {
  const own = sources.filter(
    ({ path }) => path.startsWith(`${folder}/`) && !/\.(test|fixture|contract)\.ts$/.test(path),
  )
  const imported = own.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, file = '']) =>
      join(dirname(path), file),
    ),
  )
  const neighbours = imported.filter((file) => file.startsWith(`${dirname(folder)}/`))
  const names = neighbours.map((file) => file.split('/')[2] ?? '')
  return [...new Set(names)].filter((name) => name !== basename(folder)).toSorted()
}

test.each(globSync('src/kernel/*'))('%s names the folders that it uses in its README', (folder) => {
  const used = usedBy(folder).map((name) => `\`${name}\``)

  expect(readFileSync(`${folder}/README.md`, 'utf8')).toMatch(
    new RegExp(`^Owns .* Uses ${used.join(', ') || 'nothing'}\\.\n$`, 'm'),
  )
})

const listed = [
  ...readFileSync('architecture.cjs', 'utf8').matchAll(/^ {2}(?<name>\w+): \[(?<others>.*)\],$/gm),
].map(({ groups }) => [groups?.['name'] ?? '', groups?.['others'] ?? ''] as const)

test.each(listed)('%s uses every capability of its row: %s', (name, others) => {
  const expected = [...others.matchAll(/'(\w+)'/g)].map(([, other]) => other)

  expect(usedBy(`src/capabilities/${name}`)).toEqual(expected.toSorted())
})

test.each(globSync('src/capabilities/*'))('%s has an index and a needs file', (folder) => {
  for (const file of ['index.ts', 'needs.ts']) expect(existsSync(`${folder}/${file}`)).toBe(true)
})

test.each(named('index.ts'))('$path exports a list', ({ text }) => {
  expect(text).not.toMatch(/export \*|export default/)
})

test.each(named('routes.ts'))('$path contains data and no decisions', ({ text }) => {
  expect(text).not.toMatch(/\b(if|for|while|switch|try) ?[({]/)
})

const stores = sources.filter(({ path }) => /\/store(\.ts$|\/)/.test(path))

test.each(stores)('$path uses no domain rules, no clock and no wire types', ({ text }) => {
  expect(text).not.toMatch(/from '.*(errors\/refusal|host\/host|kernel\/http|schemas)\b/)
})

test.each(sources)('$path names no path of one machine', ({ text }) => {
  expect(text).not.toMatch(/(['"`])\/(home|root|tmp|work|Users)\//)
})
