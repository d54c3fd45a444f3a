import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runReverie } from '../support/run-reverie.ts'

const page = readFileSync('docs/cli.md', 'utf8')
const named = [...page.matchAll(/^\| `([a-z -]+)` \| /gm)]
const documented = new Set(named.map(([, name]) => name))

test('docs/cli.md lists every command', async () => {
  const top = await commandsIn([])
  const nested = await Promise.all(
    top.map(async (name) => {
      const inside = await commandsIn([name])
      const nested = inside.map((inner) => `${name} ${inner}`)
      return (await takesArgument(name)) || inside.length === 0 ? [name, ...nested] : nested
    }),
  )
  expect([...documented].sort()).toEqual(nested.flat().sort())
})

test('every option that docs/cli.md names is one of its command', async () => {
  const rows = page.matchAll(/^\| `([a-z -]+)` \| (.*--.*) \|$/gm)
  const unknown = await Promise.all(
    [...rows].map(async ([, name = '', text = '']) => {
      const { stdout } = await runReverie([...name.split(' '), '--help'])
      const options = [...text.matchAll(/`(--[a-z-]+)`/g)].map(([, option = '']) => option)
      return options.filter((option) => !stdout.includes(option)).map((one) => `${name} ${one}`)
    }),
  )

  expect(unknown.length).toBeGreaterThan(5)
  expect(unknown.flat()).toEqual([])
})

test('docs/cli.md lists exactly the options of each command', async () => {
  const [, table = ''] = page.split('| command | options |\n')
  const [rows = ''] = table.split('\n\n')
  const documentedOptions = [...rows.matchAll(/^\| `([a-z -]+)` \| (.*) \|$/gm)].map(
    ([, name = '', options = '']) => [name, options.match(/--[a-z-]+/g) ?? []] as const,
  )
  const names = [...documented].map(String).filter((name) => name !== 'completion')
  const there = await Promise.all(
    names.map(async (name) => [name, await optionsOf(name.split(' '))] as const),
  )

  expect(Object.fromEntries(documentedOptions)).toEqual(
    Object.fromEntries(there.filter(([, options]) => options.length > 0)),
  )
})

async function optionsOf(command: readonly string[]): Promise<string[]> {
  const { stdout } = await runReverie([...command, '--help'])
  const [, own = ''] = stdout.split(/^Options:/m)
  const [lines = ''] = own.split(/^Global Options:/m)
  const listed = lines.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)
  return [...listed].map(([, option = '']) => option).filter((option) => option !== '--help')
}

/** A command with subcommands of its own runs without one, too. */
async function takesArgument(name: string): Promise<boolean> {
  const { stdout } = await runReverie([name, '--help'])
  return /^Usage: .*\[command\] [<[]/m.test(stdout)
}

async function commandsIn(group: readonly string[]): Promise<string[]> {
  const { stdout } = await runReverie([...group, '--help'])
  const [, commands = ''] = stdout.split(/^Commands:/m)
  const listed = commands.matchAll(/^ {2}([a-z-]+) /gm)
  return [...listed].map(([, name = '']) => name).filter((name) => name !== 'help')
}
