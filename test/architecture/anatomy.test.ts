import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const longestReadme = 30
const folders = globSync(['src/capabilities/*', 'src/kernel/*'])
const sources = globSync('src/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const named = (name: string) => sources.filter(({ path }) => basename(path) === name)

test.each(folders)('%s says in a short README what it is for', (folder) => {
  expect(existsSync(`${folder}/README.md`), `${folder}/README.md`).toBe(true)
  const readme = readFileSync(`${folder}/README.md`, 'utf8')

  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(longestReadme)
  expect(readme).toMatch(new RegExp(`^# ${basename(folder)}\n`))
})

test.each(globSync('src/capabilities/*'))('%s has a door and its needs', (folder) => {
  for (const file of ['index.ts', 'needs.ts']) expect(existsSync(`${folder}/${file}`)).toBe(true)
})

test.each(named('index.ts'))('$path lists names', ({ text }) => {
  expect(text).not.toMatch(/export \*|export default/)
})

test.each(named('routes.ts'))('$path holds data, not decisions', ({ text }) => {
  expect(text).not.toMatch(/\b(if|for|while|switch|try) ?[({]/)
})

const stores = sources.filter(({ path }) => /\/store(\.ts$|\/)/.test(path))

test.each(stores)('$path knows no rules, no clock and no wire', ({ text }) => {
  expect(text).not.toMatch(/from '.*(errors\/refusal|host\/host|kernel\/http|schemas)\b/)
})

test.each(sources)('$path names no path of one machine', ({ text }) => {
  expect(text).not.toMatch(/(['"`])\/(home|root|tmp|work|Users)\//)
})
