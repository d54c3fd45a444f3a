import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderHelp } from '../support/cli-help.ts'

const sources = globSync('src/{capabilities,kernel,daemon}/**/*.ts').filter(
  (path) => !path.endsWith('.test.ts'),
)
/** The commands that findings name, without their options. */
const commands = new Set(
  sources
    .flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(/command: 'reverie ([a-z -]+?)(?: -|')/g),
    ])
    .map(([, words = '']) => words.trim()),
)

test('findings name commands', () => {
  expect([...commands]).toEqual(expect.arrayContaining(['repair check-fts', 'repair requeue-dead']))
})

test.each([...commands])('the fix "reverie %s" has a help', async (words) => {
  expect(await renderHelp(words.split(' '))).toContain(`reverie ${words}`)
})
