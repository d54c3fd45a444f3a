import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runReverie } from '../support/run-reverie.ts'

const named = [...readFileSync('docs/cli.md', 'utf8').matchAll(/^\| `([a-z ]+)` \| /gm)]
const documented = new Set(named.map(([, name]) => name))

test('docs/cli.md lists the commands there are', async () => {
  const top = await commandsIn([])
  const groups = top.filter((name) => ['agents', 'token', 'config'].includes(name))
  const grouped = await Promise.all(
    groups.map(async (group) => (await commandsIn([group])).map((name) => `${group} ${name}`)),
  )
  const commands = [
    ...top.filter((name) => !groups.includes(name)),
    ...grouped.flat(),
    'completion',
  ]

  expect([...documented].sort()).toEqual(commands.sort())
})

async function commandsIn(group: readonly string[]): Promise<string[]> {
  const { stdout } = await runReverie([...group, '--help'])
  const listed = stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)
  return [...listed].map(([, name = '']) => name).filter((name) => name !== 'help')
}
